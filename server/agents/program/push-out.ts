/** An agent's push: what upstream does not have yet, in batches, parents first; the same again changes nothing there. */
import { PUSH_TABLES, pushTable, type PushTable } from '../push-tables.ts';
import { deliver, putAside, type DeliverDeps } from './deliver.ts';
import { giveUp, outgoingRows, pushAgain, type OutgoingRow } from './outgoing-query.ts';
import { asideIds } from './set-aside-query.ts';
import type { MissingAtUpstream } from './upstream-client.ts';

/** Of a batch before it is compressed; upstream takes 8 MiB. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** Batches of a table before the others have a turn: what is the case now does not wait for what was. */
const BATCHES_A_TURN = 10;
/** So often a row is sent before those that hang on it, until it counts as one that upstream does not keep. */
const MOST_SENT_FIRST = 3;

/** As many of the first rows as a batch may hold, one at least. */
function fitting(rows: readonly OutgoingRow[]): OutgoingRow[] {
  let bytes = 0;
  const end = rows.findIndex(({ row }, at) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return at > 0 && bytes > BATCH_BYTES;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}

/** What upstream says is missing; the parents of all the rows where it does not say which. */
function missingIn(table: PushTable, rows: readonly OutgoingRow[], missing: MissingAtUpstream) {
  if (missing.size > 0) return missing;
  const byTable = new Map<string, Set<string>>();
  for (const [column, parent] of table.parents) {
    const ids = byTable.get(parent) ?? new Set<string>();
    for (const { row } of rows) if (typeof row[column] === 'string') ids.add(row[column]);
    byTable.set(parent, ids);
  }
  return byTable;
}

function hangsOn(
  { parents }: PushTable,
  row: OutgoingRow['row'],
  { parent, ids }: { parent: string; ids: ReadonlySet<string> },
): boolean {
  return parents.some(
    ([column, table]) => table === parent && typeof row[column] === 'string' && ids.has(row[column]),
  );
}

export interface PushDeps extends DeliverDeps {
  /** How often each row was sent first since all was pushed, because others hang on it: by table and id. */
  sentFirst: Map<string, number>;
}

/** Those that were sent first so often that once more would be in vain. */
function stubbornAmong(sentFirst: PushDeps['sentFirst'], parent: string, ids: Iterable<string>): Set<string> {
  const stubborn = new Set<string>();
  for (const id of ids) {
    const key = `${parent} ${id}`;
    const times = (sentFirst.get(key) ?? 0) + 1;
    if (times > MOST_SENT_FIRST) stubborn.add(id);
    // What hangs on it waits, and may ask for it again after that.
    if (times > MOST_SENT_FIRST) sentFirst.delete(key);
    else sentFirst.set(key, times);
  }
  return stubborn;
}

/**
 * What these rows hang on goes first. Where upstream goes on to miss it, they wait aside: nothing behind them would ever
 * have a turn. What is not this agent's to push (a canary that was removed upstream for good)
 * never comes back, so what hangs on it ends here.
 */
async function mendParents(
  deps: PushDeps,
  { table, rows, missing }: { table: PushTable; rows: readonly OutgoingRow[]; missing: MissingAtUpstream },
): Promise<void> {
  const { db, logger, platform } = deps;
  const now = new Date(platform.now());
  for (const [parent, ids] of missingIn(table, rows, missing)) {
    const aside = await asideIds(db, { table: parent, ids: [...ids], now });
    const stubborn = stubbornAmong(deps.sentFirst, parent, ids);
    const held = aside.size > 0 ? aside : stubborn;
    const waiting = rows.filter(({ row }) => hangsOn(table, row, { parent, ids: held }));
    if (waiting.length > 0) {
      const error = `hangs on a row of ${parent} that ${aside.size > 0 ? 'was refused' : 'is missed however often it is sent'}`;
      await putAside(
        deps,
        table,
        waiting.map((row) => ({ row, error })),
      );
      continue;
    }
    const again = new Set(await pushAgain(db, pushTable(parent), [...ids]));
    const gone = [...ids].filter((id) => !again.has(id));
    if (gone.length === 0 || (missing.size === 0 && table.parents.length > 1)) continue;
    const count = await giveUp(db, parent, gone);
    logger.warn(
      { table: parent, ids: gone.slice(0, 10), rows: count },
      'removed upstream for good: what this agent found of it is pushed no more',
    );
  }
}

/**
 * Pushes one batch of the table: 'none' when there was nothing, 'parents' when what it hangs on has to go first, 'refused'
 * when the upstream server takes nothing of it.
 */
async function pushBatch(deps: PushDeps, table: PushTable, signal: AbortSignal) {
  const { db, platform } = deps;
  const rows = fitting(await outgoingRows(db, table, new Date(platform.now())));
  if (rows.length === 0) return 'none';
  const delivery = await deliver(deps, { table, rows }, signal);
  if (delivery.kind === 'parents') {
    await mendParents(deps, { table, ...delivery });
    return 'parents';
  }
  if (delivery.kind !== 'stored') return 'none';
  return rows.length < table.batchRows ? 'last' : 'more';
}

/** One turn of a table. */
async function pushTurn(deps: PushDeps, table: PushTable, signal: AbortSignal) {
  for (let batch = 1; !signal.aborted; batch += 1) {
    const outcome = await pushBatch(deps, table, signal);
    if (outcome === 'none' || outcome === 'parents') return outcome;
    if (batch === BATCHES_A_TURN) return 'more';
  }
  return 'none';
}

/**
 * Pushes what is there, a turn of each table; answers 'again' when more waits, or upstream lost rows and the next round
 * starts with these. Throws what the client throws: nothing is marked then, and the next round sends it again.
 */
export async function pushOut(deps: PushDeps, signal: AbortSignal): Promise<'done' | 'again'> {
  let isMore = false;
  for (const table of PUSH_TABLES) {
    const outcome = await pushTurn(deps, table, signal);
    if (outcome === 'parents') return 'again';
    isMore ||= outcome === 'more';
  }
  if (!isMore) deps.sentFirst.clear();
  return isMore ? 'again' : 'done';
}
