/**
 * What a collection comes to: how many rows are in scope, and a checksum over their ids. Devices compare it with what
 * they hold, so that a row that is missing or left over is found whatever the reason. It is the same for every reader
 * and is worked out once for many: a collection that changes all the time is not counted all the time.
 */
import type { CollectionName } from '../../../src/contract/collections.ts';
import type { CollectionTally } from '../../../src/contract/sync.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { newestOf, readTally } from './feed-query.ts';

/** Rows grow too old by themselves, without a change. */
const GOOD_FOR_MS = 60_000;
/** Not more often, however fast the collection changes. */
const REST_MS = 5_000;

interface Known {
  newest: number;
  atMs: number;
  tally: CollectionTally | null;
}

/** The tallies of the databases of this process; each has an epoch of its own. */
export class Tallies {
  private readonly known = new Map<string, Known>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Null when it would have to be worked out again too soon, or is being worked out. */
  async of(db: Queryable, epoch: string, collection: CollectionName): Promise<CollectionTally | null> {
    const key = `${epoch}:${collection}`;
    const before = this.known.get(key);
    const ageMs = before === undefined ? Infinity : Math.abs(this.now() - before.atMs);
    if (before !== undefined && ageMs < GOOD_FOR_MS && before.newest === (await newestOf(db, collection)))
      return before.tally;
    if (ageMs < REST_MS) return null;
    const atMs = this.now();
    this.known.set(key, { newest: -1, atMs, tally: null });
    const { newest, count, sum } = await readTally(db, collection);
    const tally = { cursor: `${epoch}.${newest}`, at: new Date(atMs).toISOString(), count, sum };
    this.known.set(key, { newest, atMs, tally });
    return tally;
  }
}
