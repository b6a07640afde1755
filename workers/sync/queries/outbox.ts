import { tellDifferences } from '../outbox/outbox-differences.ts';
import { DEVICE_QUERIES } from '../../../src/contract/queries/device-queries.ts';
import { handleValue } from '../subscriptions/query-handler.ts';

export const query = handleValue(DEVICE_QUERIES['outbox'], ({ outbox }, _, listener) =>
  outbox.subscribe(tellDifferences(listener)),
);
