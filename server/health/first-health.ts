/**
 * The first window of the health board for whoever has nothing on the device yet. It reads the rows that a first load
 * would bring (the feed's view) and answers by the rules of the compute worker. The rows are the same for everybody who
 * may read checks: whoever asks was authorised before. Invariant: the health of each row is that of the moment of the
 * answer, and the rows are at most `KEEP_MS` old.
 */
import { COLLECTION_FACTS } from '../../src/contract/collections.ts';
import type { FirstWindow } from '../../src/contract/first-window.ts';
import { createCheckIndex, type CheckIndex } from '../../src/contract/health-board/check-index.ts';
import { healthWindow } from '../../src/contract/health-board/health-window.ts';
import { checkSchema } from '../../src/contract/http/canary.ts';
import type { HealthPatch, HealthQuery, RowWindow } from '../../src/contract/worker.ts';
import type { Queryable } from '../platform/db/database.ts';
import { createSharedAnswers, type SharedAnswers } from '../platform/http/shared-answers.ts';
import { readAllRows } from '../replication/change-log/all-rows.ts';

/** After a restored database all devices begin anew at the same moment. */
const KEEP_MS = 2000;

/** One for a server. */
export class FirstHealth {
  private readonly now: () => number;
  private readonly read: SharedAnswers<CheckIndex>;

  constructor(now: () => number) {
    this.now = now;
    this.read = createSharedAnswers({ now });
  }

  async window(
    db: Queryable,
    asked: { query: HealthQuery; window: RowWindow },
  ): Promise<{ nowMs: number; window: FirstWindow<HealthPatch> }> {
    const index = await this.read.share('checks', KEEP_MS, () => this.readChecks(db));
    const nowMs = this.now();
    index.reevaluate(nowMs);
    const input = { isLoaded: true, entries: index.entries(), facets: index.facets() };
    return { nowMs, window: healthWindow({ ...input, summaryRange: '1h' }, asked) };
  }

  private async readChecks(db: Queryable): Promise<CheckIndex> {
    const index = createCheckIndex();
    for await (const rows of readAllRows(db, 'checks', { most: COLLECTION_FACTS.checks.cap })) {
      // A row that a device would skip is skipped here.
      const upserts = rows.flatMap((row) => checkSchema.safeParse(row).data ?? []);
      index.apply({ upserts, deletedIds: [] }, this.now());
    }
    return index;
  }
}
