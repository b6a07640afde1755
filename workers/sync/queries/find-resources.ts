import { PLAYBOOK_QUERIES } from '../../../src/contract/queries/playbook-queries.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { handleCached } from '../subscriptions/query-handler.ts';

const LIMIT = 50;

export const query = handleCached(PLAYBOOK_QUERIES['find-resources'], {
  async fetch({ http }, { kind, selectors, search }, signal) {
    const asked = selectors.length === 0 ? [{}] : selectors.map(({ id: _id, ...selector }) => selector);
    const typed = search === '' ? {} : { search };
    const body = { limit: LIMIT, [`${kind}s`]: asked.map((selector) => ({ ...selector, ...typed })) };
    const answer = await http.json({ path: '/api/resources/search', method: 'POST', body, signal });
    return isRecord(answer) ? (answer[`${kind}s`] ?? []) : answer;
  },
});
