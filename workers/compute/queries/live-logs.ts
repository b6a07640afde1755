import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { handleDifferences } from '../subscriptions/live-handler.ts';

export const query = handleDifferences(LIVE_QUERIES['live-logs'], ({ logs }, asked, listener) =>
  logs.open(asked, listener),
);
