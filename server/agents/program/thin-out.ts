/**
 * The bound on what a cut-off agent keeps. Above it the older half of the runs that wait is thinned to one per check in
 * five minutes, then in an hour, then in a day; a change from passed to failed or back is kept as long as anything is.
 * Only when that is not enough, the oldest go altogether.
 */
import type { Transactions } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { dropRuns, noteThinned, thinRuns, waitingRuns } from './thin-query.ts';

/** About a day of 1,000 checks that run twice a minute. */
export const MOST_WAITING_RUNS = 3_000_000;
const SLOTS_SECONDS = [300, 3600, 86_400];

interface ThinDeps {
  db: Transactions;
  logger: Logger;
  most: number;
}

/** Brings what waits to nine tenths of the bound where it is above it; answers how many runs were given up. */
export async function thinOut({ db, logger, most }: ThinDeps): Promise<number> {
  const waiting = await waitingRuns(db);
  if (waiting <= most) return 0;
  const wanted = waiting - Math.floor(most * 0.9);
  const given = await db.transaction(async (tx) => {
    let count = 0;
    for (const everySeconds of SLOTS_SECONDS) {
      const among = Math.ceil(waiting / 2);
      if (count < wanted) count += await thinRuns(tx, { among, limit: wanted - count, everySeconds });
    }
    if (count < wanted) count += await dropRuns(tx, wanted - count);
    await noteThinned(tx, count);
    return count;
  });
  logger.warn(
    { waiting, most, givenUp: given },
    'more runs wait for the upstream server than this agent keeps: the oldest were thinned',
  );
  return given;
}
