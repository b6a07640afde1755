import { PLAYBOOK_QUERIES } from '../../../../src/contract/queries/playbook-queries.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

export const query = handleCached(PLAYBOOK_QUERIES['playbook-parameters'], {
  fetch: ({ http }, { playbookId, resource }, signal) =>
    http.json({
      path: `/api/playbook/${encodeURIComponent(playbookId)}/params`,
      method: 'POST',
      body: { id: playbookId, ...(resource === null ? {} : { [`${resource.kind}_id`]: resource.id }) },
      signal,
    }),
});
