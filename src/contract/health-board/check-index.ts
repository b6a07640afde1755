/**
 * The checks in memory, ready to be asked: live rows in name order, lower-cased search text, health at this
 * moment, label facets. It owns no clock: whoever feeds it says what time it is on the server.
 * Invariants: `entries()` holds each live, unsilenced check once, in name order; an entry is never changed,
 * only replaced, so that a row built from it stays true.
 */
import type { LabelFacet } from '../worker.ts';
import type { Check } from '../../domain/check/check.ts';
import { searchText } from '../../domain/check/grouping.ts';
import { areFiguresOld, figuresOfHour, figuresUntilMs } from '../../domain/check/figures.ts';
import { checkHealth, currentUntilMs, healthUntil, type CheckHealth } from '../../domain/check/health.ts';
import { renewList } from '../../lib/list-cache.ts';

export interface Entry {
  /** The row, its uptime and latency as they are now: those of the last hour, and none of before. */
  readonly check: Check;
  readonly health: CheckHealth;
  /** What the search box looks in. */
  readonly text: string;
  readonly nameKey: string;
  /** Parsed once: a board of thousands asks for it at every keystroke. NaN when there was none. */
  readonly transitionMs: number;
  /** What lists show and sort by; NaN when it is not known. */
  readonly latencyMs: number;
  /** Of the runs of the window. */
  readonly runs: 'none' | 'all passed' | 'some failed';
}

/** The latency that lists show: p95, else the rolling hour (schema §4.7). */
function latencyOf({ p95, rolling1h }: Check['latency']): number {
  return p95 ?? (rolling1h === 0 ? Number.NaN : (rolling1h ?? Number.NaN));
}

function runsOf({ failed, passed }: Check['uptime']): Entry['runs'] {
  if (failed + passed === 0) return 'none';
  return failed === 0 ? 'all passed' : 'some failed';
}

function entryOf(row: Check, nowMs: number): Entry {
  const check = areFiguresOld(row, nowMs) ? { ...row, ...figuresOfHour(row, nowMs) } : row;
  return {
    check,
    health: checkHealth(check, nowMs),
    text: searchText(check),
    nameKey: check.name.toLowerCase(),
    transitionMs: check.last_transition_time === null ? Number.NaN : Date.parse(check.last_transition_time),
    latencyMs: latencyOf(check.latency),
    runs: runsOf(check.uptime),
  };
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Name order: by code unit, upper and lower case alike; ties broken so that the order never wavers. */
export function compareByName(a: Entry, b: Entry): number {
  return (
    compareText(a.nameKey, b.nameKey) ||
    compareText(a.check.canary_name, b.check.canary_name) ||
    compareText(a.check.id, b.check.id)
  );
}

/** Where an entry stands in a list in name order. */
function positionOf(inNameOrder: readonly Entry[], wanted: Entry): number {
  let first = 0;
  let last = inNameOrder.length;
  while (first < last) {
    const middle = (first + last) >>> 1;
    const entry = inNameOrder[middle];
    if (entry !== undefined && compareByName(entry, wanted) < 0) first = middle + 1;
    else last = middle;
  }
  return first;
}

/** Entries in name order. Those that change keep their place while their names stay, so that nothing is sorted again. */
function createNameOrder(all: () => Iterable<Entry>) {
  let sorted: readonly Entry[] | null = [];
  let renewed: Entry[] = [];
  const withRenewed = (list: readonly Entry[]) =>
    renewList(list, new Map(renewed.map((entry) => [positionOf(list, entry), entry])));
  return {
    /** Entries came or went, or have other names. */
    drop() {
      sorted = null;
    },
    /** An entry takes the place of the one of the same names. */
    renew(entry: Entry) {
      renewed.push(entry);
    },
    list(): readonly Entry[] {
      if (sorted === null) sorted = [...all()].toSorted(compareByName);
      else if (renewed.length > 0) sorted = withRenewed(sorted);
      renewed = [];
      return sorted;
    },
  };
}

function isShown(check: Check): boolean {
  return check.deleted_at === null && check.silenced_at === null;
}

function facetsOf(entries: readonly Entry[]): LabelFacet[] {
  const keys = new Map<string, Map<string, number>>();
  for (const { check } of entries) {
    for (const [key, value] of Object.entries(check.labels)) {
      const values = keys.get(key) ?? new Map<string, number>();
      values.set(value, (values.get(value) ?? 0) + 1);
      keys.set(key, values);
    }
  }
  return [...keys]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([key, values]) => ({
      key,
      values: [...values]
        .toSorted(([a], [b]) => compareText(a, b))
        .map(([value, total]) => ({ value, total })),
    }));
}

function sameLabels(a: Check, b: Check): boolean {
  const keys = Object.keys(a.labels);
  return keys.length === Object.keys(b.labels).length && keys.every((key) => a.labels[key] === b.labels[key]);
}

/** A row as it came, and until when what it says is of now, ms; worked out once, it is asked of all every few seconds. */
interface Known {
  row: Check;
  currentUntilMs: number;
  figuresUntilMs: number;
}

const knownOf = (row: Check): Known => ({
  row,
  currentUntilMs: currentUntilMs(row),
  figuresUntilMs: figuresUntilMs(row),
});

/** True when the row would make the same entry now. */
function isAsAt(entry: Entry, known: Known, nowMs: number): boolean {
  const { state, isStale } = healthUntil(known.row.status, known.currentUntilMs, nowMs);
  const isShownAsOld = entry.check !== known.row;
  return (
    state === entry.health.state &&
    isStale === entry.health.isStale &&
    isShownAsOld === nowMs >= known.figuresUntilMs
  );
}

export interface CheckIndex {
  replaceAll(checks: readonly Check[], nowMs: number): void;
  apply(change: { upserts: readonly Check[]; deletedIds: readonly string[] }, nowMs: number): void;
  /** Health and figures at another moment; true when any changed by the passing of time. */
  reevaluate(nowMs: number): boolean;
  get(id: string): Entry | null;
  /** The same list until something changes. */
  entries(): readonly Entry[];
  facets(): readonly LabelFacet[];
}

/** An empty index. */
export function createCheckIndex(): CheckIndex {
  const byId = new Map<string, Entry>();
  /** As they came, so that the clock may be put back as well. */
  const rows = new Map<string, Known>();
  const order = createNameOrder(() => byId.values());
  let facets: readonly LabelFacet[] | null = [];

  const remove = (id: string) => {
    rows.delete(id);
    if (!byId.delete(id)) return;
    facets = null;
    order.drop();
  };
  const put = (check: Check, nowMs: number) => {
    const before = byId.get(check.id);
    if (!isShown(check)) return remove(check.id);
    if (before === undefined || !sameLabels(before.check, check)) facets = null;
    const entry = entryOf(check, nowMs);
    rows.set(check.id, knownOf(check));
    byId.set(check.id, entry);
    if (before === undefined || compareByName(before, entry) !== 0) order.drop();
    else order.renew(entry);
  };

  return {
    replaceAll(checks, nowMs) {
      byId.clear();
      rows.clear();
      order.drop();
      facets = null;
      for (const check of checks) put(check, nowMs);
    },
    apply({ upserts, deletedIds }, nowMs) {
      for (const id of deletedIds) remove(id);
      for (const check of upserts) put(check, nowMs);
    },
    reevaluate(nowMs) {
      let hasChanged = false;
      for (const [id, known] of rows) {
        const before = byId.get(id);
        if (before !== undefined && isAsAt(before, known, nowMs)) continue;
        put(known.row, nowMs);
        hasChanged = true;
      }
      return hasChanged;
    },
    get: (id) => byId.get(id) ?? null,
    entries: () => order.list(),
    facets() {
      facets ??= facetsOf([...byId.values()]);
      return facets;
    },
  };
}
