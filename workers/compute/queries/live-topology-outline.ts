import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { handleDifferences } from '../subscriptions/live-handler.ts';

export const query = handleDifferences(
  LIVE_QUERIES['live-topology-outline'],
  ({ topology }, asked, listener) => topology.openOutline(asked, listener),
);
