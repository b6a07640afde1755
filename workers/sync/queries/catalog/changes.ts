import { CATALOG_QUERIES } from '../../../../src/contract/queries/catalog-queries.ts';
import type { ChangesQuestion } from '../../../../src/domain/catalog/changes-search.ts';
import { handleCached } from '../../subscriptions/query-handler.ts';

/** Only what is asked: the contract's server takes an empty text for a filter in some places. */
function bodyOf(question: ChangesQuestion): Record<string, unknown> {
  return Object.fromEntries(Object.entries(question).filter(([, value]) => value !== ''));
}

export const query = handleCached(CATALOG_QUERIES['changes'], {
  fetch: ({ http }, question, signal) =>
    http.json({ path: '/api/catalog/changes', method: 'POST', body: bodyOf(question), signal }),
});
