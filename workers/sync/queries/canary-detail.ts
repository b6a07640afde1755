import { CHECK_QUERIES } from '../../../src/contract/queries/check-queries.ts';
import { rowById } from '../network/data-api.ts';
import { handleCached } from '../subscriptions/query-handler.ts';

const SELECT = 'id,source,spec,name,namespace,labels';

export const query = handleCached(CHECK_QUERIES['canary-detail'], {
  fetch: ({ api }, { canaryId }, signal) =>
    rowById(api, { id: canaryId, table: 'canaries', select: SELECT, signal }),
});
