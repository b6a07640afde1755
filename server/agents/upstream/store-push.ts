/** A batch of an agent's, stored whole or not at all, each row once. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Queryable, Transactions } from '../../platform/db/database.ts';
import { DatabaseError, UNIQUE_VIOLATION } from '../../platform/db/database-error.ts';
import { MESSAGES } from '../messages.ts';
import { noteReceived } from './agent-query.ts';
import { ownersOf, readTimesAsUtc, storeCanaries, storeChecks, storeCheckStatuses } from './push-query.ts';
import type { PushBatch, PushedTable } from './push-schema.ts';

/** `conflict`: rows whose canary or check this agent has not pushed. */
export class MissingParents extends AppError {
  /** Keys of the rows, as agents name them: the id of a check, the check's id and the time of a run. */
  readonly ids: readonly string[];

  constructor(table: PushedTable, ids: readonly string[]) {
    super('conflict', MESSAGES.missingParents(table, ids.length));
    this.name = 'MissingParents';
    this.ids = ids;
  }
}

/** How many rows of each table were new or changed. */
export type StoredRows = Record<PushedTable, number>;

interface Push {
  agentId: string;
  batch: PushBatch;
  at: Date;
}

async function refuseOthersRows(tx: Queryable, { agentId, batch }: Push): Promise<void> {
  for (const table of ['canaries', 'checks'] as const) {
    const rows = batch[table];
    const { others } = await ownersOf(tx, table, { agentId, ids: rows.map((row) => row.id) });
    const at = rows.findIndex((row) => others.has(row.id.toLowerCase()));
    const field = `${table}[${at}].id`;
    if (at !== -1) throw new AppError('forbidden', MESSAGES.notYours(field), { field });
  }
}

async function store(tx: Queryable, push: Push): Promise<StoredRows> {
  const { agentId, batch, at } = push;
  const { canaries, checks, checkStatuses } = batch;
  await readTimesAsUtc(tx);
  await noteReceived(tx, agentId, at);
  await refuseOthersRows(tx, push);
  const storedCanaries = await storeCanaries(tx, { agentId, rows: canaries });
  const canaryIds = checks.map((row) => row.canary_id);
  const { own: ownCanaries } = await ownersOf(tx, 'canaries', { agentId, ids: canaryIds });
  const strays = checks.filter((row) => !ownCanaries.has(row.canary_id.toLowerCase()));
  if (strays.length > 0)
    throw new MissingParents(
      'checks',
      strays.map((row) => row.id),
    );
  const storedChecks = await storeChecks(tx, { agentId, rows: checks });
  const checkIds = checkStatuses.map((row) => row.check_id);
  const { own: ownChecks } = await ownersOf(tx, 'checks', { agentId, ids: checkIds });
  const orphans = checkStatuses.filter((row) => !ownChecks.has(row.check_id.toLowerCase()));
  if (orphans.length > 0)
    throw new MissingParents(
      'check_statuses',
      orphans.map((row) => row.check_id + row.time),
    );
  return {
    canaries: storedCanaries,
    checks: storedChecks,
    check_statuses: await storeCheckStatuses(tx, { agentId, rows: checkStatuses }),
  };
}

/** What a batch is to blame for, said to its sender. */
function refusalOf(error: unknown): AppError | null {
  if (!(error instanceof DatabaseError)) return null;
  if (error.sqlState === UNIQUE_VIOLATION)
    return new AppError('conflict', MESSAGES.sameName(error.detail ?? error.message), { cause: error });
  // "Data exception": a number or time that its column can't hold.
  if (error.sqlState.startsWith('22'))
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
