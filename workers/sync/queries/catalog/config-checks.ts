import { CATALOG_QUERIES } from '../../../../src/contract/queries/catalog-queries.ts';
import { configLinks } from '../../subscriptions/config-links.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

const LINKS = { table: 'check_config_relationships', select: 'check_id,checks(id,name,type,status)' };

export const query = handleCached(CATALOG_QUERIES['config-checks'], {
  fetch: ({ api }, { configId }, signal) => configLinks(api, { ...LINKS, configId, signal }),
});
