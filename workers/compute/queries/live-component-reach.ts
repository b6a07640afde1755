import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { handleValue } from '../subscriptions/live-handler.ts';

export const query = handleValue(
  LIVE_QUERIES['live-component-reach'],
  ({ topology }, { componentId }, listener) => topology.watchReach(componentId, listener),
);
