/**
 * The first window of the incident list for whoever has nothing on the device yet: of the rows that a first load would
 * bring (the feed's view), by the rules of the compute worker. They are the same for everybody who may read incidents:
 * whoever asks was authorised before. Who responds is not told: those are many times as many rows, and the list says it
 * later (workers/compute/incidents).
 */
import { setImmediate } from 'node:timers/promises';
import { COLLECTION_FACTS, type ReplicatedRow } from '../../src/contract/collections.ts';
import type { FirstWindow } from '../../src/contract/first-window.ts';
import type { IncidentsQuestion, LivePatch } from '../../src/contract/live-query.ts';
import { CollectionIndex, prepareRows } from '../../src/contract/row-index/collection-index.ts';
import { firstPatch } from '../../src/contract/row-index/live-answer.ts';
import { AS_THEY_ARE } from '../../src/contract/row-index/shown-rows.ts';
import type { Queryable } from '../platform/db/database.ts';
import { createSharedAnswers, type SharedAnswers } from '../platform/http/shared-answers.ts';
import { readAllRows } from '../replication/change-log/all-rows.ts';

/** After a restored database all devices begin anew at the same moment. */
const KEEP_MS = 2000;

/** Each word is looked for in all incidents while other requests wait: a longer search waits for the device. */
const MOST_LETTERS = 100;

/** One for a server. */
export class FirstIncidents {
  private readonly read: SharedAnswers<CollectionIndex | null>;
  private readonly most: number;

  /** `most` is how many a device has. */
  constructor(now: () => number, most = COLLECTION_FACTS.incidents.cap) {
    this.read = createSharedAnswers({ now });
    this.most = most;
  }

  /** Null for a long search, and where there are more than a device has: which of them those are is the device's to say. */
  async window(db: Queryable, question: IncidentsQuestion): Promise<FirstWindow<LivePatch> | null> {
    if (question.search.length > MOST_LETTERS) return null;
    const index = await this.read.share('incidents', KEEP_MS, () => this.readIncidents(db));
    if (index === null) return null;
    return { patch: firstPatch({ index, isLoaded: () => true }, question), later: null };
  }

  private async readIncidents(db: Queryable): Promise<CollectionIndex | null> {
    const found: ReplicatedRow[] = [];
    for await (const rows of readAllRows(db, 'incidents', { most: this.most + 1 })) found.push(...rows);
    if (found.length > this.most) return null;
    const index = new CollectionIndex('incidents', AS_THEY_ARE);
    // Other requests are answered between the steps.
    index.replaceAll(await prepareRows(found, () => setImmediate()));
    return index;
  }
}
