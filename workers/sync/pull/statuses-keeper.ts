/**
 * Keeps runs of the checks that matter here: the last 24 h of every check that was looked at, and the newest
 * runs of those that fail (design §4). It knows per check from when on its runs are complete, so that an
 * answer from the device can say what it lacks.
 */
import { CHECK_STATUS_COLUMNS, checkStatusSchema } from '../../../src/contract/http/canary.ts';
import type { CheckStatus } from '../../../src/domain/check/check.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { PackedRowStore } from '../../store/packed-row-store.ts';
import type { DataApi } from '../data-api.ts';
import { keysetPages } from './keyset-pages.ts';
import { createRowParser, type RowParser } from './row-parser.ts';

const KEEP_MS = 24 * 3_600_000;
const OVERLAP_MS = 10_000;
const MAX_ROWS = 200_000;
/** Of a failing check that nobody looked at. */
const NEWEST_ROWS = 200;
const FACTS = 'statuses';

/** Of one check: runs from `fromMs` on are complete; `cursor` is the newest `created_at` that was read. */
interface Coverage {
  fromMs: number;
  cursor: string;
  lookedAtMs: number;
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
  /** The server's clock, ms. */
  serverNow: () => number;
  report: (error: unknown) => void;
}

export class StatusesKeeper {
  private readonly parts: StatusesKeeperParts;
  private readonly parse: RowParser<CheckStatus>;
  private loading: Promise<Map<string, Coverage>> | null = null;

  constructor(parts: StatusesKeeperParts) {
    this.parts = parts;
    this.parse = createRowParser('check_statuses', checkStatusSchema, parts.report);
  }

  /** Reads what is new of one check; the first time it is looked at, the last 24 h. */
  async pullCheck(checkId: string, signal: AbortSignal): Promise<void> {
    const { api, store, serverNow } = this.parts;
    const known = (await this.coverages()).get(checkId);
    const nowMs = serverNow();
    // A gap longer than what is kept is read anew, like a check that was never looked at.
    const isFirst =
      known === undefined ||
      known.lookedAtMs === 0 ||
      Date.parse(known.cursor) < nowMs - KEEP_MS + OVERLAP_MS;
    const since = isFirst
      ? new Date(nowMs - KEEP_MS).toISOString()
      : new Date(Date.parse(known.cursor) - OVERLAP_MS).toISOString();
    let cursor = isFirst ? since : known.cursor;
    const where = [
      { column: 'check_id', operator: 'eq', value: checkId },
      { column: 'created_at', operator: 'gte', value: since },
    ] as const;
    const question = { table: 'check_statuses', select: CHECK_STATUS_COLUMNS, where, signal };
    for await (const page of keysetPages(api, { ...question, keys: ['created_at', 'time'] })) {
      const runs = this.parse(page.rows);
      await store.apply({ upserts: runs, deletedIds: [] });
      cursor = runs.at(-1)?.created_at ?? cursor;
    }
    const fromMs = isFirst ? nowMs - KEEP_MS : known.fromMs;
    await this.note(checkId, { fromMs, cursor, lookedAtMs: nowMs });
  }

  /** Reads the newest runs of a check that isn't kept yet. */
  async prefetch(checkId: string, signal: AbortSignal): Promise<void> {
    const { api, store } = this.parts;
    if ((await this.coverages()).has(checkId)) return;
    const { rows } = await api.page({
      table: 'check_statuses',
      select: CHECK_STATUS_COLUMNS,
      where: [{ column: 'check_id', operator: 'eq', value: checkId }],
      order: [{ column: 'time', isDescending: true }],
      limit: NEWEST_ROWS,
      signal,
    });
    const runs = this.parse(rows);
    const [newest, oldest] = [runs.at(0), runs.at(-1)];
    if (newest === undefined || oldest === undefined) return;
    await store.apply({ upserts: runs, deletedIds: [] });
    await this.note(checkId, { fromMs: Date.parse(oldest.time), cursor: newest.created_at, lookedAtMs: 0 });
  }

  /** The kept runs of a check, and from when on they are complete; null when none are kept. */
  async runs(checkId: string): Promise<{ runs: CheckStatus[]; fromMs: number | null }> {
    const coverage = (await this.coverages()).get(checkId);
    return { runs: await this.parts.store.loadAll(checkId), fromMs: coverage?.fromMs ?? null };
  }

  /** Folds logs in, drops what is too old, and evicts whole checks above the cap, longest unseen first. */
  async tidy(): Promise<void> {
    const { store, meta, serverNow } = this.parts;
    const all = await this.coverages();
    const horizonMs = serverNow() - KEEP_MS;
    let total = 0;
    for (const [checkId, coverage] of [...all].toSorted(([, a], [, b]) => b.lookedAtMs - a.lookedAtMs)) {
      const runs = await store.loadAll(checkId);
      const old = coverage.lookedAtMs === 0 ? [] : runs.filter((run) => Date.parse(run.time) < horizonMs);
      total += runs.length - old.length;
      if (total > MAX_ROWS) {
        await store.dropPartitions([checkId]);
        all.delete(checkId);
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

  private async note(checkId: string, coverage: Coverage): Promise<void> {
    const all = await this.coverages();
    all.set(checkId, coverage);
    await this.parts.meta.set(FACTS, Object.fromEntries(all));
  }
}
