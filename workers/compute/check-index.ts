/**
 * The checks in memory, ready to be asked: live rows in name order, lower-cased search text, health at this
 * moment, label facets. It owns no clock: whoever feeds it says what time it is on the server.
 * Invariants: `entries()` holds each live, unsilenced check once, in name order; an entry is never changed,
 * only replaced, so that a row built from it stays true.
 */
import type { LabelFacet } from '../../src/contract/worker.ts';
import type { Check } from '../../src/domain/check/check.ts';
import { searchText } from '../../src/domain/check/grouping.ts';
import { areFiguresOld, figuresOfHour } from '../../src/domain/check/figures.ts';
import { checkHealth, type CheckHealth } from '../../src/domain/check/health.ts';

export interface Entry {
  /** The row, its uptime and latency as they are now: those of the last hour, and none of before. */
  readonly check: Check;
  readonly health: CheckHealth;
  /** What the search box looks in. */
  readonly text: string;
  readonly nameKey: string;
  /** Parsed once: a board of thousands asks for it at every keystroke. NaN when there was none. */
  readonly transitionMs: number;
}

function entryOf(row: Check, nowMs: number): Entry {
  const check = areFiguresOld(row, nowMs) ? { ...row, ...figuresOfHour(row, nowMs) } : row;
  return {
    check,
    health: checkHealth(check, nowMs),
    text: searchText(check),
    nameKey: check.name.toLowerCase(),
    transitionMs: check.last_transition_time === null ? Number.NaN : Date.parse(check.last_transition_time),
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

/** True when the row would make the same entry now. */
function isAsAt(entry: Entry, row: Check, nowMs: number): boolean {
  const { state, isStale } = checkHealth(row, nowMs);
  const isShownAsOld = entry.check !== row;
  return (
    state === entry.health.state &&
    isStale === entry.health.isStale &&
    isShownAsOld === areFiguresOld(row, nowMs)
  );
}

export interface CheckIndex {
  replaceAll(checks: readonly Check[], nowMs: number): void;
  apply(change: { upserts: readonly Check[]; deletedIds: readonly string[] }, nowMs: number): void;
  /** Health and figures at another moment; true when any changed by the passing of time. */
  reevaluate(nowMs: number): boolean;
  get(id: string): Entry | null;
  entries(): readonly Entry[];
  facets(): readonly LabelFacet[];
  /** Rises with every change; equal versions mean equal answers. */
  version(): number;
}

/** An empty index. */
export function createCheckIndex(): CheckIndex {
  const byId = new Map<string, Entry>();
  /** As they came, so that the clock may be put back as well. */
  const rows = new Map<string, Check>();
  let sorted: readonly Entry[] | null = [];
  let facets: readonly LabelFacet[] | null = [];
  let version = 0;

  const remove = (id: string) => {
    rows.delete(id);
    if (byId.delete(id)) facets = null;
  };
  const put = (check: Check, nowMs: number) => {
    const before = byId.get(check.id);
    if (!isShown(check)) return remove(check.id);
    if (before === undefined || !sameLabels(before.check, check)) facets = null;
    rows.set(check.id, check);
    byId.set(check.id, entryOf(check, nowMs));
  };

  return {
    replaceAll(checks, nowMs) {
      byId.clear();
      rows.clear();
      for (const check of checks) put(check, nowMs);
      sorted = null;
      facets = null;
      version += 1;
    },
    apply({ upserts, deletedIds }, nowMs) {
      for (const id of deletedIds) remove(id);
      for (const check of upserts) put(check, nowMs);
      sorted = null;
      version += 1;
    },
    reevaluate(nowMs) {
      let hasChanged = false;
      for (const [id, row] of rows) {
        const entry = byId.get(id);
        if (entry !== undefined && isAsAt(entry, row, nowMs)) continue;
        byId.set(id, entryOf(row, nowMs));
        hasChanged = true;
      }
      if (hasChanged) {
        sorted = null;
        version += 1;
      }
      return hasChanged;
    },
    get: (id) => byId.get(id) ?? null,
    entries() {
      sorted ??= [...byId.values()].toSorted(compareByName);
      return sorted;
    },
    facets() {
      facets ??= facetsOf([...byId.values()]);
      return facets;
    },
    version: () => version,
  };
}
