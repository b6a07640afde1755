import { CATALOG_QUERIES } from '../../../../src/contract/queries/catalog-queries.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

const MAX_LINKS = 500;

export const query = handleCached(CATALOG_QUERIES['component-configs'], {
  fetch: async ({ api }, { componentId }, signal) => {
    const page = await api.page({
      table: 'config_component_relationships',
      select: 'config_id,selector_id',
      where: [
        { column: 'component_id', operator: 'eq', value: componentId },
        { column: 'deleted_at', operator: 'is', value: 'null' },
      ],
      limit: MAX_LINKS,
      signal,
    });
    return page.rows;
  },
});
