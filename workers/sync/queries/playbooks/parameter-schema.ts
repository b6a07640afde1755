import { PLAYBOOK_QUERIES } from '../../../../src/contract/queries/playbook-queries.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

export const query = handleCached(PLAYBOOK_QUERIES['parameter-schema'], {
  fetch: ({ http }, { playbookId, parameter }, signal) =>
    http.json({
      path: `/api/playbook/${encodeURIComponent(playbookId)}/parameter-schema?${new URLSearchParams({ parameter }).toString()}`,
      signal,
    }),
});
