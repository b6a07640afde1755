/** An agent's push: what upstream does not have yet, in batches, parents first; the same again changes nothing there. */
import type { Queryable } from '../../platform/db/database.ts';
import {
  markPushed,
  OUTGOING_TABLES,
  outgoingRows,
  pushParentsAgain,
  type OutgoingRow,
  type OutgoingTable,
} from './outgoing-query.ts';
import type { UpstreamClient } from './upstream-client.ts';

/** schema §8.1 */
const BATCH_ROWS = 500;
/** Of a batch before it is compressed; upstream takes 8 MiB. */
const BATCH_BYTES = 4 * 1024 * 1024;
const UUID_LENGTH = 36;

interface PushDeps {
  db: Queryable;
  client: Pick<UpstreamClient, 'push'>;
}

/** As many of the first rows as a batch may hold, one at least. */
function fitting(rows: readonly OutgoingRow[]): OutgoingRow[] {
  let bytes = 0;
  const end = rows.findIndex(({ row }, at) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return at > 0 && bytes > BATCH_BYTES;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}

/** Pushes one batch of the table: 'none' when there was nothing, 'parents' when what it hangs on has to go first. */
async function pushBatch({ db, client }: PushDeps, table: OutgoingTable, signal: AbortSignal) {
  const rows = fitting(await outgoingRows(db, table, BATCH_ROWS));
  if (rows.length === 0) return 'none';
  const outcome = await client.push(
    table,
    rows.map(({ row }) => row),
    signal,
  );
  if (outcome.isStored) {
    await markPushed(db, table, rows);
    return 'stored';
  }
  const ids = outcome.missing.map((key) => key.slice(0, UUID_LENGTH));
  await pushParentsAgain(db, table, ids);
  return 'parents';
}

/**
 * Pushes all that is there; answers 'again' when upstream lost rows and the next round starts with these. Throws what the
 * client throws: nothing is marked then, and the next round sends it again.
 */
export async function pushOut(deps: PushDeps, signal: AbortSignal): Promise<'done' | 'again'> {
  for (const table of OUTGOING_TABLES) {
    let outcome = '';
    while (outcome !== 'none' && !signal.aborted) {
      outcome = await pushBatch(deps, table, signal);
      if (outcome === 'parents') return 'again';
    }
  }
  return 'done';
}
