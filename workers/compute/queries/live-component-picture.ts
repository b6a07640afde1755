import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { handleDifferences } from '../subscriptions/live-handler.ts';

export const query = handleDifferences(
  LIVE_QUERIES['live-component-picture'],
  ({ topology }, asked, listener) => topology.openPicture(asked, listener),
);
