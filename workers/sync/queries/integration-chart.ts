import { SETTINGS_QUERIES } from '../../../src/contract/queries/settings-queries.ts';
import { handleCached } from '../subscriptions/query-handler.ts';

export const query = handleCached(SETTINGS_QUERIES['integration-chart'], {
  fetch: ({ http }, { chart }, signal) => http.json({ path: `/api/integrations/charts/${chart}`, signal }),
});
