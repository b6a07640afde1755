import { CATALOG_QUERIES } from '../../../../src/contract/queries/catalog-queries.ts';
import { rowById } from '../../network/data-api.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

const SELECT =
  'id,config_id,change_type,severity,summary,created_at,first_observed,count,external_created_by,source,diff,details,patches,created_by,config:configs(id,name,type,config_class)';

export const query = handleCached(CATALOG_QUERIES['change-detail'], {
  fetch: ({ api }, { changeId }, signal) =>
    rowById(api, { id: changeId, table: 'config_changes', select: SELECT, signal }),
});
