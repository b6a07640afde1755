import { CATALOG_QUERIES } from '../../../../src/contract/queries/catalog-queries.ts';
import { rowById } from '../../network/data-api.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

const SELECT = '*,config_scrapers(id,name),agent:agents(id,name)';

export const query = handleCached(CATALOG_QUERIES['config-detail'], {
  fetch: ({ api }, { configId }, signal) =>
    rowById(api, { id: configId, table: 'config_detail', select: SELECT, signal }),
});
