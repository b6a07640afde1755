import { SETTINGS_QUERIES } from '../../../src/contract/queries/settings-queries.ts';
import { handleCached } from '../subscriptions/query-handler.ts';

export const query = handleCached(SETTINGS_QUERIES['spec-schema'], {
  fetch: ({ http }, { file }, signal) =>
    http.json({ path: `/api/schemas/${encodeURIComponent(file)}`, signal }),
});
