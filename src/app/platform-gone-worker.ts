/**
 * Loads the page again where its sync worker is gone: nothing else brings one back, and what it said last only grows old.
 * A worker that was held up, as by a device that slept, is asked first.
 */
import type { DataClient } from '../data/client/data-client.ts';
import { reloadWhenThere } from './platform-reload.ts';

const ANSWER_MS = 10_000;
/** Where workers end again and again, a page that stays says that it is stale. */
const MOST_RELOADS = 3;

/** Not under somebody's hands, and not before there is a server. */
export function reloadWhenWorkerIsGone({ status, workers }: Pick<DataClient, 'status' | 'workers'>): void {
  let isAsking = false;
  const look = async () => {
    // Nothing is asked for: what counts is that it answers.
    const answer = workers.sync.act('want-collections', { collections: [] }).then(() => true);
    const late = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), ANSWER_MS);
    });
    const isThere = await Promise.race([answer, late]);
    if (!isThere && status.isSilent()) await reloadWhenThere('/', MOST_RELOADS);
  };
  status.subscribe(() => {
    if (isAsking || !status.isSilent()) return;
    isAsking = true;
    look()
      .catch(reportError)
      .finally(() => {
        isAsking = false;
      });
  });
}
