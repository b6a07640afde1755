import { PLAYBOOK_QUERIES } from '../../../../src/contract/queries/playbook-queries.ts';
import { rowById } from '../../network/data-api.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

export const query = handleCached(PLAYBOOK_QUERIES['playbook-step'], {
  fetch: ({ api }, { stepId }, signal) =>
    rowById(api, {
      id: stepId,
      table: 'playbook_run_actions',
      select: '*,artifacts(id,filename,content_type,size)',
      signal,
    }),
});
