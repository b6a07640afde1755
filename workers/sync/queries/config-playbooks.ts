import { CATALOG_QUERIES } from '../../../src/contract/queries/catalog-queries.ts';
import { handleCached } from '../subscriptions/query-handler.ts';

export const query = handleCached(CATALOG_QUERIES['config-playbooks'], {
  fetch: ({ http }, { configId }, signal) =>
    http.json({ path: `/api/playbook/list?config_id=${encodeURIComponent(configId)}`, signal }),
});
