import { CATALOG_QUERIES } from '../../../../src/contract/queries/catalog-queries.ts';
import { configLinks } from '../../subscriptions/config-links.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

const LINKS = {
  table: 'config_component_relationships',
  select: 'component_id,selector_id,components(id,name)',
};

export const query = handleCached(CATALOG_QUERIES['config-components'], {
  fetch: ({ api }, { configId }, signal) => configLinks(api, { ...LINKS, configId, signal }),
});
