import { PLAYBOOK_QUERIES } from '../../../../src/contract/queries/playbook-queries.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

export const query = handleCached(PLAYBOOK_QUERIES['resource-playbooks'], {
  fetch: ({ http }, { kind, id }, signal) =>
    http.json({ path: `/api/playbook/list?${kind}_id=${encodeURIComponent(id)}`, signal }),
});
