/**
 * Keeps runs of the checks that matter here: the last 24 h of every check that was looked at or that fails (design
 * §4). It knows per check from when on its runs are complete and when they were read, so that an answer from the
 * device can say what it lacks and how old it is.
 */
import { CHECK_STATUS_COLUMNS, checkStatusSchema } from '../../../src/contract/http/canary.ts';
import type { CheckStatus } from '../../../src/domain/check/check.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { PackedRowStore } from '../../store/packed-row-store.ts';
import type { DataApi } from '../network/data-api.ts';
import { keysetPages } from './keyset-pages.ts';
import { createRowParser, type RowParser } from './row-parser.ts';

const KEEP_MS = 24 * 3_600_000;
const OVERLAP_MS = 10_000;
const MAX_ROWS = 200_000;
/** Runs of a failing check that nobody looks at are read on after this long. */
const READ_ON_MS = 5 * 60_000;
const FACTS = 'statuses';

/**
 * Of one check: runs from `fromMs` until `readAtMs` are complete; `cursor` is the newest `created_at` that was read.
 * `lookedAtMs` is when somebody looked at it last, 0 for never: those go first when there are too many.
 */
interface Coverage {
  fromMs: number;
  cursor: string;
  lookedAtMs: number;
  /** Absent in what older versions kept. */
  readAtMs?: number;
}

/** What older versions fetched ahead was a page, not a day; it is read anew. */
function isRead(coverage: Coverage | undefined): coverage is Coverage & { readAtMs: number } {
  return coverage?.readAtMs !== undefined;
}

/** What is to be read of one check: runs since then. */
interface Wanted {
  checkId: string;
  since: string;
  cursor: string;
  /** From when on its runs are complete then. */
  fromMs: number;
}

function wantedOf(checkId: string, known: Coverage | undefined, nowMs: number): Wanted {
  // A gap longer than what is kept is read anew, like a check that was never read.
  if (!isRead(known) || Date.parse(known.cursor) < nowMs - KEEP_MS + OVERLAP_MS) {
    const since = new Date(nowMs - KEEP_MS).toISOString();
    return { checkId, since, cursor: since, fromMs: nowMs - KEEP_MS };
  }
  const since = new Date(Date.parse(known.cursor) - OVERLAP_MS).toISOString();
  return { checkId, since, cursor: known.cursor, fromMs: known.fromMs };
}

/** Runs of any of these, each since its own moment, as a logic tree. */
function anyOf(wanted: readonly Wanted[]): string {
  const each = wanted.map(({ checkId, since }) => `and(check_id.eq.${checkId},created_at.gte.${since})`);
  return `or(${each.join(',')})`;
}

export const statusShape = {
  idOf: (run: CheckStatus) => `${run.check_id}|${run.time}`,
  partitionOf: (id: string) => id.slice(0, id.indexOf('|')),
};

function isCoverage(value: unknown): value is Coverage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'fromMs' in value &&
    'cursor' in value &&
    'lookedAtMs' in value
  );
}

async function readCoverage(meta: KeyValue): Promise<Map<string, Coverage>> {
  const value = await meta.get(FACTS);
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value).filter((entry): entry is [string, Coverage] => isCoverage(entry[1])));
}

export interface StatusesKeeperParts {
  api: DataApi;
  store: PackedRowStore<CheckStatus>;
  meta: KeyValue;
  /** The server's clock, ms; not ahead of it as soon as it has told any time, so that no run is left out. */
  serverNow: () => number;
  /** The same, −∞ before any time was told: what goes by it is too old for the server, too. */
  lastServerTime: () => number;
  report: (error: unknown) => void;
}

/** One for a store; times are the server's, in ms. */
export class StatusesKeeper {
  private readonly parts: StatusesKeeperParts;
  private readonly parse: RowParser<CheckStatus>;
  private loading: Promise<Map<string, Coverage>> | null = null;
  /** There was no room for these: they are not fetched ahead again in this session. */
  private readonly evicted = new Set<string>();

  constructor(parts: StatusesKeeperParts) {
    this.parts = parts;
    this.parse = createRowParser('check_statuses', checkStatusSchema, parts.report);
  }

  /** Reads what is new of a check that somebody looks at; the first time, the last 24 h. */
  async pullCheck(checkId: string, signal: AbortSignal): Promise<void> {
    this.evicted.delete(checkId);
    const pages = this.read([checkId], { isLookedAt: true, signal });
    for (let page = await pages.next(); page.done !== true; page = await pages.next());
  }

  /**
   * The same for checks that nobody looks at, of those that weren't read lately: with one question for all of them, a
   * page at each turn. What is read counts as read once all of it is.
   */
  async *prefetch(checkIds: readonly string[], signal: AbortSignal): AsyncGenerator<void, void> {
    const due: string[] = [];
    for (const id of checkIds) if (await this.isDue(id)) due.push(id);
    if (due.length > 0) yield* this.read(due, { isLookedAt: false, signal });
  }

  /** True for a check whose runs are to be fetched ahead: there is room for them, and they aren't here or old. */
  async isDue(checkId: string): Promise<boolean> {
    if (this.evicted.has(checkId)) return false;
    const known = (await this.coverages()).get(checkId);
    return !isRead(known) || known.readAtMs <= this.parts.serverNow() - READ_ON_MS;
  }

  private async *read(
    checkIds: readonly string[],
    of: { isLookedAt: boolean; signal: AbortSignal },
  ): AsyncGenerator<void, void> {
    const { api, store, serverNow } = this.parts;
    const known = await this.coverages();
    const nowMs = serverNow();
    const wanted = checkIds.map((id) => wantedOf(id, known.get(id), nowMs));
    const cursors = new Map(wanted.map(({ checkId, cursor }) => [checkId, cursor]));
    const question = { table: 'check_statuses', select: CHECK_STATUS_COLUMNS, signal: of.signal };
    const pages = keysetPages(api, { ...question, logic: anyOf(wanted), keys: ['check_id', 'time'] });
    for await (const page of pages) {
      const runs = this.parse(page.rows);
      await store.apply({ upserts: runs, deletedIds: [] });
      for (const { check_id: id, created_at: created } of runs)
        if (Date.parse(created) > Date.parse(cursors.get(id) ?? created)) cursors.set(id, created);
      yield;
    }
    await this.note(wanted, { cursors, isLookedAt: of.isLookedAt, readAtMs: nowMs });
  }

  /** The kept runs of a check, from when until when they are complete; null when none are kept. */
  async runs(
    checkId: string,
  ): Promise<{ runs: CheckStatus[]; fromMs: number | null; readAtMs: number | null }> {
    const coverage = (await this.coverages()).get(checkId);
    const runs = await this.parts.store.loadAll(checkId);
    if (coverage === undefined) return { runs, fromMs: null, readAtMs: null };
    return { runs, fromMs: coverage.fromMs, readAtMs: coverage.readAtMs ?? coverage.lookedAtMs };
  }

  /** Folds logs in, drops what is too old, and evicts whole checks above the cap, longest unseen first. */
  async tidy(): Promise<void> {
    const { store, meta, lastServerTime } = this.parts;
    const all = await this.coverages();
    const horizonMs = lastServerTime() - KEEP_MS;
    let total = 0;
    for (const [checkId, coverage] of [...all].toSorted(([, a], [, b]) => b.lookedAtMs - a.lookedAtMs)) {
      const runs = await store.loadAll(checkId);
      const old = runs.filter((run) => Date.parse(run.time) < horizonMs);
      total += runs.length - old.length;
      if (total > MAX_ROWS) {
        await store.dropPartitions([checkId]);
        all.delete(checkId);
        this.evicted.add(checkId);
      } else if (old.length > 0) {
        await store.apply({ upserts: [], deletedIds: old.map((run) => statusShape.idOf(run)) });
        all.set(checkId, { ...coverage, fromMs: Math.max(coverage.fromMs, horizonMs) });
      }
    }
    await meta.set(FACTS, Object.fromEntries(all));
    await store.tidy();
  }

  /** Forgets what it knows, because another worker may have written it. */
  reload(): void {
    this.loading = null;
  }

  private coverages(): Promise<Map<string, Coverage>> {
    this.loading ??= readCoverage(this.parts.meta);
    return this.loading;
  }

  private async note(
    read: readonly Wanted[],
    {
      cursors,
      isLookedAt,
      readAtMs,
    }: { cursors: Map<string, string>; isLookedAt: boolean; readAtMs: number },
  ): Promise<void> {
    const all = await this.coverages();
    for (const { checkId, fromMs, cursor } of read) {
      const now = all.get(checkId);
      // Somebody looked at it between two pages.
      if (isRead(now) && now.readAtMs > readAtMs) continue;
      const lookedAtMs = isLookedAt ? readAtMs : (now?.lookedAtMs ?? 0);
      all.set(checkId, { fromMs, cursor: cursors.get(checkId) ?? cursor, lookedAtMs, readAtMs });
    }
    await this.parts.meta.set(FACTS, Object.fromEntries(all));
  }
}
