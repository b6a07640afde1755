import { CHECK_QUERIES } from '../../../src/contract/queries/check-queries.ts';
import { rowById } from '../network/data-api.ts';
import { handleCached } from '../subscriptions/query-handler.ts';

const SELECT = 'id,name,type,health,status,description,updated_at';

export const query = handleCached(CHECK_QUERIES['related-item'], {
  fetch: ({ api }, { kind, id }, signal) =>
    rowById(api, { id, table: kind === 'config' ? 'configs' : 'components', select: SELECT, signal }),
});
