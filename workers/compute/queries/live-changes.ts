import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { openChanges } from '../changes/open-changes.ts';
import { handleDifferences } from '../subscriptions/live-handler.ts';

export const query = handleDifferences(LIVE_QUERIES['live-changes'], ({ live, model }, question, listener) =>
  openChanges({ live, nowMs: () => model.nowMs(), question, listener }),
);
