import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { handleValue } from '../subscriptions/live-handler.ts';

export const query = handleValue(LIVE_QUERIES['live-component'], ({ topology }, { componentId }, listener) =>
  topology.watchComponent(componentId, listener),
);
