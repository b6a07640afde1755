/** The catalog summed up by the server over 30 days, kept for when it can't be asked. */
import {
  catalogSummarySchema,
  type CatalogSummaryQuestion,
  type CatalogSummaryRow,
} from '../../../src/contract/http/catalog-summary.ts';
import { documentSource } from './document-source.ts';
import type { AnswerSource } from './kept-answers.ts';
import type { TableAnswerParts } from './table-answers.ts';

/** The summary's windows (spec 2 §9). */
const WINDOW = '30d';

export function catalogSummarySource(
  { http, shelf, serverNow }: TableAnswerParts,
  question: CatalogSummaryQuestion,
): AnswerSource<CatalogSummaryRow[]> {
  const body = {
    changes: { since: WINDOW },
    analysis: { since: WINDOW },
    cost: WINDOW,
    deleted: question.deleted,
    groupBy: question.groupBy,
    ...(question.status === '' ? {} : { status: question.status }),
    ...(question.health === '' ? {} : { health: question.health }),
  };
  return documentSource({
    id: `catalog-summary:${JSON.stringify(question)}`,
    schema: catalogSummarySchema,
    shelf,
    serverNow,
    fetch: (signal) => http.json({ path: '/api/catalog/summary', method: 'POST', body, signal }),
  });
}
