import { errorFacts } from '../../../../src/contract/errors.ts';
import { PLAYBOOK_QUERIES } from '../../../../src/contract/queries/playbook-queries.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

export const query = handleCached(PLAYBOOK_QUERIES['playbook-approval'], {
  async fetch({ http }, { runId }, signal) {
    try {
      return await http.json({ path: `/api/playbook/run/${encodeURIComponent(runId)}/approval`, signal });
    } catch (error) {
      // It needs none, or its server has no such answer.
      if (['invalid', 'not_found'].includes(errorFacts(error).code)) return null;
      throw error;
    }
  },
});
