/** Queries of the settings: pages of the views that are read on demand, and the schemas that specs are written against. */
import { z } from 'zod';
import { chartKeySchema, integrationChartSchema } from '../http/integration-chart.ts';
import { tableQuestionSchema, type TablePage } from '../http/table-question.ts';
import { TABLE_VIEWS } from '../http/table-views.ts';
import { cachedQuery } from './query-definition.ts';

/** Being heard is no change of an agent, so no device is told of it; a third of the time after which it is offline. */
const AGENTS_POLL_MS = 20_000;

export const SETTINGS_QUERIES = {
  /** A page of a view; rows are parsed with the view's own schema. */
  table: cachedQuery({
    args: tableQuestionSchema,
    result: ({ view }): z.ZodType<TablePage> =>
      z.object({ rows: z.array(TABLE_VIEWS[view].row as z.ZodType), total: z.number() }),
    cacheKey: (question) => (TABLE_VIEWS[question.view].isKept ? `table:${JSON.stringify(question)}` : null),
    dependsOn: ({ view }) => [...TABLE_VIEWS[view].follows, 'actions'],
    pollMs: (_page, { view }) => (view === 'agents' ? AGENTS_POLL_MS : null),
  }),
  /** A JSON schema (contract §15). */
  'spec-schema': cachedQuery({
    args: z.object({ file: z.string() }),
    result: z.unknown(),
    cacheKey: ({ file }) => `schema:${file}`,
  }),
  /** What a chart asks for (contract §14.3). */
  'integration-chart': cachedQuery({
    args: z.object({ chart: chartKeySchema }),
    result: integrationChartSchema,
    cacheKey: ({ chart }) => `chart:${chart}`,
  }),
};
