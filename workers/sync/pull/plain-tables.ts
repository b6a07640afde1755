/**
 * Replicates the collections besides the checks through the contract's data API alone: rows changed since the
 * newest that is here, with an overlap, and at a sweep all rows, which also finds what is gone. A table that the
 * backend doesn't have leaves its rows out, once and for all of this visit.
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { RowStore } from '../../store/row-store.ts';
import { wholeMark } from '../../store/store-facts.ts';
import type { Announce } from '../tabs/announcer.ts';
import type { DataApi } from '../network/data-api.ts';
import type { ReplicaCollection } from '../log/replica-collection.ts';
import { keysetPages, type KeysetQuestion } from './keyset-pages.ts';
import { PLAIN_TABLES, type PlainTable } from './plain-table-list.ts';

const OVERLAP_MS = 10_000;
export interface PlainTablesParts {
  api: DataApi;
  meta: KeyValue;
  announce: Announce;
  kept: Readonly<Record<CollectionName, ReplicaCollection>>;
  rows: Readonly<Record<CollectionName, RowStore<ReplicatedRow>>>;
  serverNow: () => number;
}

export interface PlainTables {
  pull(options: { isSweep: boolean; signal: AbortSignal }): Promise<void>;
}

/** The backend doesn't have the table, or not these columns. */
function isMissing({ code }: AppError): boolean {
  return code === 'not_found' || code === 'invalid';
}

function stampOf(row: ReplicatedRow, column: string): number {
  const value = row[column];
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

/** The table's live rows that changed since then, or all of them, in our shape. */
async function readTable(
  { api, serverNow }: Pick<PlainTablesParts, 'api' | 'serverNow'>,
  { table, sinceMs }: { table: PlainTable; sinceMs: number | null },
  signal: AbortSignal,
): Promise<ReplicatedRow[]> {
  const from = sinceMs ?? (table.youngerThanMs === undefined ? null : serverNow() - table.youngerThanMs);
  const question: KeysetQuestion = { table: table.table, select: table.select, keys: ['id'], signal };
  if (from !== null) {
    const instant = new Date(from).toISOString();
    question.logic = table.isSoft
      ? `or(${table.changed}.gte.${instant},deleted_at.gte.${instant})`
      : `${table.changed}.gte.${instant}`;
  }
  const found: ReplicatedRow[] = [];
  for await (const page of keysetPages(api, question)) found.push(...(page.rows as ReplicatedRow[]));
  return found.map((row) => ({
    ...(table.shape?.(row) ?? row),
    ...(table.kind === undefined ? {} : { kind: table.kind }),
  }));
}

/** Tables that the backend doesn't have are asked for once in a session. */
export function createPlainTables(parts: PlainTablesParts): PlainTables {
  const { api, meta, announce, kept, rows, serverNow } = parts;
  const missing = new Set<string>();

  /** What is kept of that table. */
  const keptOf = async (table: PlainTable): Promise<ReplicatedRow[]> => {
    const here = await rows[table.collection].loadAll();
    return here.filter((row) => table.kind === undefined || row['kind'] === table.kind);
  };

  /** All that is there now against what is kept: only the difference is written. */
  const sweep = async (table: PlainTable, live: readonly ReplicatedRow[]): Promise<void> => {
    const here = new Map((await keptOf(table)).map((row) => [row.id, JSON.stringify(row)]));
    const there = new Set(live.map((row) => row.id));
    const changed = live.filter((row) => here.get(row.id) !== JSON.stringify(row));
    const gone = [...here.keys()].filter((id) => !there.has(id));
    await kept[table.collection].merge(changed, gone);
  };

  const pullTable = async (table: PlainTable, isSweep: boolean, signal: AbortSignal): Promise<void> => {
    const mark = `plain:${table.table}`;
    const known = await meta.get(mark);
    const sinceMs = isSweep || typeof known !== 'number' ? null : known - OVERLAP_MS;
    const found = await readTable({ api, serverNow }, { table, sinceMs }, signal);
    signal.throwIfAborted();
    const live = found.filter((row) => !table.isSoft || row['deleted_at'] === null);
    const gone = found.filter((row) => table.isSoft && row['deleted_at'] !== null).map((row) => row.id);
    if (sinceMs === null) await sweep(table, live);
    else await kept[table.collection].merge(live, gone);
    const stamps = found.map((row) => stampOf(row, table.changed)).filter((ms) => !Number.isNaN(ms));
    if (stamps.length > 0) await meta.set(mark, Math.max(...stamps));
  };

  return {
    async pull({ isSweep, signal }) {
      for (const table of PLAIN_TABLES) {
        if (missing.has(table.table)) continue;
        try {
          await pullTable(table, isSweep, signal);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          if (error.code === 'forbidden') await sweep(table, []);
          else if (isMissing(error)) missing.add(table.table);
          else throw error;
        }
      }
      if (!isSweep) return;
      for (const collection of new Set(PLAIN_TABLES.map((table) => table.collection))) {
        if ((await meta.get(wholeMark(collection))) === true) continue;
        await meta.set(wholeMark(collection), true);
        // Who looked before the mark was set found nothing and waits.
        announce(collection, { isReset: true });
      }
    },
  };
}
