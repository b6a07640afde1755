import { DEVICE_QUERIES } from '../../../src/contract/queries/device-queries.ts';
import { handleValue } from '../subscriptions/query-handler.ts';

export const query = handleValue(DEVICE_QUERIES['catch-up'], ({ catchUp }, _, listener) =>
  catchUp.subscribe(listener),
);
