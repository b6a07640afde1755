/** A batch of an agent's, stored whole or not at all, each row once. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Queryable, Transactions } from '../../platform/db/database.ts';
import { DatabaseError, UNIQUE_VIOLATION } from '../../platform/db/database-error.ts';
import { endHanded } from '../../playbooks/running/handed-query.ts';
import { MESSAGES } from '../messages.ts';
import { noteReceived } from './agent-query.ts';
import { PUSH_TABLES, type PushTable } from '../push-tables.ts';
import { ownersOf, readTimesAsUtc, storeCanaries, storeChecks, storeCheckStatuses } from './push-query.ts';
import {
  othersJobs,
  othersRows,
  ownIds,
  removeRows,
  storeContents,
  storePlaces,
  storeRows,
  trimAgentJobs,
} from './push-rows-query.ts';
import type { PushBatch } from './push-schema.ts';

type Missing = ReadonlyMap<string, ReadonlySet<string>>;

/** `conflict`: rows that hang on something that this agent has not pushed. */
export class MissingParents extends AppError {
  /** Keys of the rows, as agents name them: the id of a row, the check's id and the time of a run. */
  readonly ids: readonly string[];
  /** Ids of what is missing, by table. */
  readonly missing: Missing;

  constructor(table: string, ids: readonly string[], missing: Missing) {
    super('conflict', MESSAGES.missingParents(table, ids.length, [...missing.keys()]));
    this.name = 'MissingParents';
    this.ids = ids;
    this.missing = missing;
  }
}

/** How many rows of each table that was sent were new or changed. */
export type StoredRows = Record<string, number>;

interface Push {
  agentId: string;
  batch: PushBatch;
  at: Date;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

async function refuseOthersRows(tx: Queryable, { agentId, batch }: Push): Promise<void> {
  for (const table of ['canaries', 'checks'] as const) {
    const rows = batch[table];
    const { others } = await ownersOf(tx, table, { agentId, ids: rows.map((row) => row.id) });
    const at = rows.findIndex((row) => others.has(row.id.toLowerCase()));
    const field = `${table}[${at}].id`;
    if (at !== -1) throw new AppError('forbidden', MESSAGES.notYours(field), { field });
  }
  for (const { table, rows } of batch.others) {
    const [taken] = await othersRows(tx, { agentId, table, rows });
    if (taken === undefined) continue;
    const field = `${table.name}: ${JSON.stringify(taken.key)}`;
    throw new AppError('forbidden', MESSAGES.notYours(field), { field: table.name });
  }
  const jobs = batch.others.find(({ table }) => table.name === 'job_history')?.rows ?? [];
  const [job] = jobs.length === 0 ? [] : await othersJobs(tx, { agentId, rows: jobs });
  if (job === undefined) return;
  const field = `job_history[${jobs.findIndex(({ id }) => id === job.id)}].resource_id`;
  throw new AppError('forbidden', MESSAGES.notYours(field), { field });
}

/** Throws where a row hangs on what is neither stored for this agent nor in the batch. */
async function requireParents(
  tx: Queryable,
  { agentId, table, rows }: { agentId: string; table: PushTable; rows: Rows },
): Promise<void> {
  const missing = new Map<string, Set<string>>();
  const orphans = new Set<string>();
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  const keyOf = (row: Rows[number]) => table.key.map((column) => textOf(row[column])).join('');
  for (const [column, parent] of table.parents) {
    const idOf = (row: Rows[number]) => {
      const id = row[column];
      return typeof id === 'string' ? id.toLowerCase() : null;
    };
    const wanted = rows.flatMap((row) => idOf(row) ?? []);
    if (wanted.length === 0) continue;
    const own = await ownIds(tx, parent, { agentId, ids: wanted });
    const here = parent === table.name ? new Set(rows.map((row) => textOf(row['id']).toLowerCase())) : own;
    for (const row of rows) {
      const id = idOf(row);
      if (id === null || own.has(id) || here.has(id)) continue;
      orphans.add(keyOf(row));
      missing.set(parent, (missing.get(parent) ?? new Set()).add(id));
    }
  }
  if (orphans.size > 0) throw new MissingParents(table.name, [...orphans], missing);
}

const ENDS = ['completed', 'failed', 'skipped'] as const;

/** Of actions that are no longer this agent's to end nothing changes. */
async function endActions(tx: Queryable, { agentId, batch, at }: Push): Promise<number | null> {
  if (batch.actions.length === 0) return null;
  const ends = batch.actions.flatMap(({ id, status, error, result }) => {
    const end = ENDS.find((one) => one === status);
    return end === undefined ? [] : [{ id, status: end, error: error ?? null, result: result ?? null }];
  });
  return endHanded(tx, { agentId, ends, now: at });
}

/** Files of checks, and of actions that the agent did; those of runs that are gone are left out. */
async function storeFiles(tx: Queryable, { agentId, batch }: Push, table: PushTable): Promise<number | null> {
  const sent = batch.others.find((one) => one.table === table)?.rows ?? [];
  if (sent.length === 0) return null;
  const ids = sent.flatMap(({ playbook_run_action_id: id }) => (typeof id === 'string' ? [id] : []));
  const done = await ownIds(tx, 'playbook_run_actions', { agentId, ids });
  const rows = sent.filter(({ playbook_run_action_id: id, check_id: check }) =>
    typeof id === 'string' ? done.has(id.toLowerCase()) : typeof check === 'string',
  );
  await requireParents(tx, { agentId, table, rows });
  const stored = await storeRows(tx, { agentId, table, rows });
  await storeContents(tx, rows);
  return stored;
}

/** Rows of one table that may be any of PUSH_TABLES. */
async function storeTable(tx: Queryable, push: Push, table: PushTable): Promise<number | null> {
  const { agentId, batch } = push;
  if (table.name === 'playbook_run_actions') return endActions(tx, push);
  if (table.name === 'artifacts') return storeFiles(tx, push, table);
  const { canaries, checks, checkStatuses } = batch;
  const rows: Rows =
    { canaries, checks, check_statuses: checkStatuses }[table.name] ??
    batch.others.find((one) => one.table === table)?.rows ??
    [];
  if (rows.length === 0) return null;
  await requireParents(tx, { agentId, table, rows });
  if (table.name === 'canaries') return storeCanaries(tx, { agentId, rows: canaries });
  if (table.name === 'checks') return storeChecks(tx, { agentId, rows: checks });
  if (table.name === 'check_statuses') return storeCheckStatuses(tx, { agentId, rows: checkStatuses });
  const stored = await storeRows(tx, { agentId, table, rows });
  if (table.name === 'components') await storePlaces(tx, rows);
  if (table.name === 'job_history') await trimAgentJobs(tx, agentId);
  return stored;
}

/** Refuses what was on its way when its agent was deleted: nobody would ever take it away. */
async function begin(tx: Queryable, { agentId, at }: Omit<Push, 'batch'>): Promise<void> {
  await readTimesAsUtc(tx);
  if ((await noteReceived(tx, agentId, at)) === 0) throw new AppError('forbidden', MESSAGES.noAgent);
}

async function store(tx: Queryable, push: Push): Promise<StoredRows> {
  await begin(tx, push);
  await refuseOthersRows(tx, push);
  const stored: StoredRows = {};
  for (const table of PUSH_TABLES) {
    const count = await storeTable(tx, push, table);
    if (count !== null) stored[table.sentAs] = count;
  }
  return stored;
}

/** Removes rows that are gone at the agent; those of others and unknown ones are left alone. */
export function removePushed(
  db: Transactions,
  { agentId, removed, at }: { agentId: string; removed: PushBatch['others']; at: Date },
): Promise<StoredRows> {
  return db.transaction(async (tx) => {
    await begin(tx, { agentId, at });
    const counts: StoredRows = {};
    // What hangs on others goes first.
    for (const { table, rows } of [...removed].toReversed())
      counts[table.name] = await removeRows(tx, { agentId, table, rows });
    return counts;
  });
}

/** What a batch is to blame for, said to its sender. */
function refusalOf(error: unknown): AppError | null {
  if (!(error instanceof DatabaseError)) return null;
  if (error.sqlState === UNIQUE_VIOLATION)
    return new AppError('conflict', MESSAGES.sameName(error.detail ?? error.message), { cause: error });
  // "Data exception": a number or time that its column can't hold; a value that has to be there, or is not allowed.
  if (error.sqlState.startsWith('22') || ['23502', '23514'].includes(error.sqlState))
    return new AppError('invalid', MESSAGES.outOfRange(error.message), { cause: error });
  return null;
}

/**
 * Stores the batch in one transaction; the same again changes nothing. Throws `forbidden` for rows of others,
 * MissingParents, `conflict` for a second row of one name, `invalid` for values out of range.
 */
export async function storePush(db: Transactions, push: Push): Promise<StoredRows> {
  try {
    return await db.transaction((tx) => store(tx, push));
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== null) throw refusal;
    throw error;
  }
}
