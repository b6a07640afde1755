import type { CatalogSummaryQuestion, CatalogSummaryRow } from '../../contract/http/catalog-summary.ts';
import type { Loadable } from '../client/data-client.ts';
import { useAnswer } from './use-answer.ts';

/** The catalog as the server sums it up over 30 days; null asks nothing. */
export function useCatalogSummary(question: CatalogSummaryQuestion | null): Loadable<CatalogSummaryRow[]> {
  const key = question === null ? null : JSON.stringify(question);
  return useAnswer<CatalogSummaryRow[]>(key, (sync, listener) =>
    question === null ? Promise.resolve(() => {}) : sync.subscribeCatalogSummary(question, listener),
  );
}
