/**
 * Replicates the collections besides the checks through the contract's data API alone: rows changed since the
 * newest that is here, with an overlap, and at a sweep all rows, which also finds what is gone. A table that the
 * backend doesn't have leaves its rows out, once and for all of this visit.
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { RowStore } from '../../store/row-store.ts';
import type { DataApi } from '../data-api.ts';
import type { KeptCollection } from '../log/kept-collection.ts';
import { keysetPages, type KeysetQuestion } from './keyset-pages.ts';

const OVERLAP_MS = 10_000;
const DAY_MS = 86_400_000;

interface PlainTable {
  collection: CollectionName;
  table: string;
  select: string;
  /** The column that says when a row changed. */
  changed: 'updated_at' | 'created_at';
  /** Rows with `deleted_at` are gone. */
  isSoft?: boolean;
  /** Only rows younger than this are kept, ms. */
  youngerThanMs?: number;
  kind?: string;
  /** What the projection of ours has and the contract's row hasn't. */
  shape?: (row: ReplicatedRow) => ReplicatedRow;
}

/** Evidence knows its incident by its hypothesis. */
function evidenceShape(row: ReplicatedRow): ReplicatedRow {
  const { hypotheses, ...rest } = row;
  const incident =
    typeof hypotheses === 'object' && hypotheses !== null && 'incident_id' in hypotheses
      ? hypotheses.incident_id
      : null;
  return { ...rest, incident_id: incident, definition_of_done: rest['definition_of_done'] === true };
}

const record = (table: string, kind: string, over: Partial<PlainTable> = {}): PlainTable => ({
  collection: 'incident_records',
  table,
  select: '*',
  changed: 'updated_at',
  kind,
  ...over,
});
const resource = (table: string, kind: string, select: string): PlainTable => ({
  collection: 'resources',
  table,
  select: `id,name,${select}created_at,updated_at,deleted_at`,
  changed: 'updated_at',
  isSoft: true,
  kind,
});

const TABLES: readonly PlainTable[] = [
  { collection: 'incidents', table: 'incidents', select: '*', changed: 'updated_at' },
  record('hypotheses', 'hypothesis'),
  record('evidences', 'evidence', { select: '*,hypotheses(incident_id)', shape: evidenceShape }),
  record('comments', 'comment'),
  record('responders', 'responder', { isSoft: true }),
  record('incident_histories', 'history', { changed: 'created_at' }),
  resource('teams', 'team', 'icon,source,'),
  resource('people', 'person', 'avatar,type,team_id,'),
  resource('agents', 'agent', 'hostname,description,version,'),
  resource('topologies', 'topology', 'namespace,labels,source,agent_id,'),
  resource('config_scrapers', 'scraper', 'description,source,agent_id,'),
  { collection: 'components', table: 'components', select: '*', changed: 'updated_at', isSoft: true },
  { collection: 'configs', table: 'configs', select: '*', changed: 'updated_at', isSoft: true },
  {
    collection: 'playbooks',
    table: 'playbooks',
    select:
      'id,namespace,name,title,icon,description,category,source,created_by,created_at,updated_at,deleted_at',
    changed: 'updated_at',
    isSoft: true,
  },
  {
    collection: 'config_changes',
    table: 'config_changes',
    select: 'id,config_id,change_type,severity,source,summary,created_by,created_at,count,first_observed',
    changed: 'created_at',
    youngerThanMs: 7 * DAY_MS,
  },
  {
    collection: 'job_histories',
    table: 'job_history',
    select:
      'id,agent_id,name,success_count,error_count,hostname,duration_millis,resource_type,resource_id,status,time_start,time_end,created_at',
    changed: 'created_at',
    youngerThanMs: 2 * DAY_MS,
  },
];

export interface PlainTablesParts {
  api: DataApi;
  meta: KeyValue;
  kept: Readonly<Record<CollectionName, KeptCollection>>;
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

export function createPlainTables({ api, meta, kept, rows, serverNow }: PlainTablesParts): PlainTables {
  const missing = new Set<string>();

  const read = async (
    table: PlainTable,
    sinceMs: number | null,
    signal: AbortSignal,
  ): Promise<ReplicatedRow[]> => {
    const from = sinceMs ?? (table.youngerThanMs === undefined ? null : serverNow() - table.youngerThanMs);
    const question: KeysetQuestion = {
      table: table.table,
      select: table.select,
      keys: ['id'],
      signal,
    };
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
  };

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
    const found = await read(table, sinceMs, signal);
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
      for (const table of TABLES) {
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
      for (const collection of new Set(TABLES.map((table) => table.collection)))
        await meta.set(`whole:${collection}`, true);
    },
  };
}
