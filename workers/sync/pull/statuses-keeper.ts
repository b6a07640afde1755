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
import { createRowParser } from './row-parser.ts';

export const KEEP_MS = 24 * 3_600_000;
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

export interface StatusesKeeper {
  /** Reads what is new of one check; the first time the last 24 h. */
  pullCheck(checkId: string, signal: AbortSignal): Promise<void>;
  /** Reads the newest runs of a check that isn't kept yet; true when it asked the server. */
  prefetch(checkId: string, signal: AbortSignal): Promise<boolean>;
  runs(checkId: string): Promise<{ runs: CheckStatus[]; fromMs: number | null }>;
  /** Checks that are kept, last looked at first. */
  keptChecks(): Promise<string[]>;
  /** Folds logs in, drops what is too old, and evicts whole checks above the cap, longest unseen first. */
  tidy(): Promise<void>;
}

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

export function createStatusesKeeper(options: {
  api: DataApi;
  store: PackedRowStore<CheckStatus>;
  meta: KeyValue;
  /** The server's clock, ms. */
  serverNow: () => number;
  report: (error: unknown) => void;
}): StatusesKeeper {
  const { api, store, meta, serverNow } = options;
  const parse = createRowParser('check_statuses', checkStatusSchema, options.report);
  let loading: Promise<Map<string, Coverage>> | null = null;
  const coverages = () => {
    loading ??= readCoverage(meta);
    return loading;
  };
  const note = async (checkId: string, coverage: Coverage) => {
    const all = await coverages();
    all.set(checkId, coverage);
    await meta.set(FACTS, Object.fromEntries(all));
  };

  return {
    async pullCheck(checkId, signal) {
      const known = (await coverages()).get(checkId);
      const nowMs = serverNow();
      const isComplete = known !== undefined && known.fromMs <= nowMs - KEEP_MS + OVERLAP_MS;
      const isFirst = known === undefined || (known.lookedAtMs === 0 && !isComplete);
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
        const runs = parse(page.rows);
        await store.apply({ upserts: runs, deletedIds: [] });
        cursor = runs.at(-1)?.created_at ?? cursor;
      }
      await note(checkId, { fromMs: isFirst ? nowMs - KEEP_MS : known.fromMs, cursor, lookedAtMs: nowMs });
    },
    async prefetch(checkId, signal) {
      if ((await coverages()).has(checkId)) return false;
      const { rows } = await api.page({
        table: 'check_statuses',
        select: CHECK_STATUS_COLUMNS,
        where: [{ column: 'check_id', operator: 'eq', value: checkId }],
        order: [{ column: 'time', isDescending: true }],
        limit: NEWEST_ROWS,
        signal,
      });
      const runs = parse(rows);
      await store.apply({ upserts: runs, deletedIds: [] });
      const [newest, oldest] = [runs.at(0), runs.at(-1)];
      if (newest !== undefined && oldest !== undefined)
        await note(checkId, { fromMs: Date.parse(oldest.time), cursor: newest.created_at, lookedAtMs: 0 });
      return true;
    },
    async runs(checkId) {
      const coverage = (await coverages()).get(checkId);
      return { runs: await store.loadAll(checkId), fromMs: coverage?.fromMs ?? null };
    },
    async keptChecks() {
      return [...(await coverages())]
        .toSorted(([, a], [, b]) => b.lookedAtMs - a.lookedAtMs)
        .map(([checkId]) => checkId);
    },
    async tidy() {
      const all = await coverages();
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
    },
  };
}
