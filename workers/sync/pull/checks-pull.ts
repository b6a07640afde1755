/**
 * Replicates checks through nothing but the contract's data API (design §4 law 16): a first load that is
 * swapped in whole, then keyset pulls by `updated_at` and `deleted_at` with an overlap, and an id sweep that
 * finds what no cursor can: hard deletes, rows that lost their permission, rows that became visible late.
 * Invariant: the cursor moves only after what it covers is durable.
 */
import { checkSchema } from '../../../src/contract/http/canary.ts';
import type { Check } from '../../../src/domain/check/check.ts';
import type { KeyValue } from '../../store/key-value.ts';
import { WHOLE_CHECKS } from '../../store/store-facts.ts';
import type { Announce } from '../announcer.ts';
import type { DataApi } from '../data-api.ts';
import type { KeptRows } from './kept-rows.ts';
import { keysetPages } from './keyset-pages.ts';
import { createRowParser } from './row-parser.ts';

/** A row becomes visible at commit, some time after the instant it carries; this much later is still seen. */
const OVERLAP_MS = 10_000;
/** After a nudge, seconds after the last pull, less has to be read again; the next timed pull reads it all. */
const NUDGE_OVERLAP_MS = 2000;
const CURSOR = 'cursor:checks';
const TABLE = 'check_summary';
/** Ids to one question, so that its URL stays well under what proxies take. */
const IDS_PER_QUESTION = 50;

export interface ChecksPull {
  isWhole(): Promise<boolean>;
  firstLoad(signal: AbortSignal, onProgress: (done: number | null) => void): Promise<void>;
  /** Returns the ids of checks that changed. */
  pull(kind: 'nudge' | 'timed', signal: AbortSignal): Promise<string[]>;
  sweep(signal: AbortSignal): Promise<string[]>;
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(b) > Date.parse(a) ? b : a;
}

function before(instant: string, overlapMs: number): string {
  return new Date(Date.parse(instant) - overlapMs).toISOString();
}

function newestOf(rows: readonly Check[], start: string | null): string | null {
  return rows.reduce<string | null>((newest, row) => later(newest, row.updated_at), start);
}

function idAndChange(row: unknown): { id: string; updatedAt: string | null } | null {
  if (typeof row !== 'object' || row === null || !('id' in row) || typeof row.id !== 'string') return null;
  const updatedAt = 'updated_at' in row && typeof row.updated_at === 'string' ? row.updated_at : null;
  return { id: row.id, updatedAt };
}

export function createChecksPull(options: {
  api: DataApi;
  kept: KeptRows<Check>;
  meta: KeyValue;
  announce: Announce;
  report: (error: unknown) => void;
}): ChecksPull {
  const { api, kept, meta, announce } = options;
  const parse = createRowParser('checks', checkSchema, options.report);
  /** Where the last timed pull ended: nudged pulls in between don't narrow what the next one reads again. */
  let timedCursor: string | null = null;

  const cursor = async (): Promise<string | null> => {
    const value = await meta.get(CURSOR);
    return typeof value === 'string' ? value : null;
  };

  const mergeChecks = (rows: readonly Check[]) => {
    const live = rows.filter((row) => row.deleted_at === null);
    const gone = rows.filter((row) => row.deleted_at !== null).map((row) => row.id);
    return kept.merge(live, gone);
  };

  const fetchByIds = async (ids: readonly string[], signal: AbortSignal): Promise<string[]> => {
    const changed: string[] = [];
    for (let at = 0; at < ids.length; at += IDS_PER_QUESTION) {
      const some = ids.slice(at, at + IDS_PER_QUESTION);
      const where = [{ column: 'id', operator: 'in', value: `(${some.join(',')})` } as const];
      const { rows } = await api.page({ table: TABLE, where, signal });
      changed.push(...(await mergeChecks(parse(rows))));
    }
    return changed;
  };

  return {
    isWhole: async () => (await meta.get(WHOLE_CHECKS)) === true,
    async firstLoad(signal, onProgress) {
      const rows: Check[] = [];
      onProgress(0);
      const where = [{ column: 'deleted_at', operator: 'is', value: 'null' } as const];
      for await (const page of keysetPages(api, { table: TABLE, where, keys: ['id'], signal })) {
        rows.push(...parse(page.rows));
        onProgress(page.done);
      }
      await meta.set(WHOLE_CHECKS, false);
      await kept.replaceAll(rows);
      await meta.set(CURSOR, newestOf(rows, null));
      await meta.set(WHOLE_CHECKS, true);
      announce('checks', { isReset: true });
    },
    async pull(kind, signal) {
      const at = await cursor();
      const from =
        kind === 'timed' ? before(timedCursor ?? at ?? new Date(0).toISOString(), OVERLAP_MS) : null;
      const since = from ?? before(at ?? new Date(0).toISOString(), NUDGE_OVERLAP_MS);
      const changed: string[] = [];
      let newest = at;
      const logic = `or(updated_at.gte.${since},deleted_at.gte.${since})`;
      const pages = keysetPages(api, { table: TABLE, logic, keys: ['updated_at', 'id'], signal });
      for await (const page of pages) {
        const rows = parse(page.rows);
        changed.push(...(await mergeChecks(rows)));
        newest = newestOf(rows, newest);
      }
      if (newest !== at) await meta.set(CURSOR, newest);
      if (kind === 'timed') timedCursor = newest;
      else timedCursor ??= at;
      return changed;
    },
    async sweep(signal) {
      const known = await kept.known();
      const onServer = new Set<string>();
      const wanted: string[] = [];
      const where = [{ column: 'deleted_at', operator: 'is', value: 'null' } as const];
      const question = { table: TABLE, select: 'id,updated_at', where, keys: ['id'] as const, signal };
      for await (const page of keysetPages(api, question)) {
        for (const row of page.rows) {
          const facts = idAndChange(row);
          if (facts === null) continue;
          onServer.add(facts.id);
          const mine = known.get(facts.id);
          if (mine === undefined || mine.updatedAt !== facts.updatedAt) wanted.push(facts.id);
        }
      }
      const gone = [...known.keys()].filter((id) => !onServer.has(id));
      return [...(await kept.merge([], gone)), ...(await fetchByIds(wanted, signal))];
    },
  };
}
