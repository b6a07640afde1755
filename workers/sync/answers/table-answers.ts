/** Pages of the views that settings screens read on demand: asked of the server, and kept where that is allowed. */
import { z } from 'zod';
import { TABLE_VIEWS, type TablePage, type TableQuestion } from '../../../src/contract/http/table-views.ts';
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import { dateMathText } from '../../../src/domain/time/date-math.ts';
import type { DataApi, PageQuestion, RowPage } from '../network/data-api.ts';
import type { HttpClient } from '../network/http-client.ts';
import { documentSource } from './document-source.ts';
import type { AnswerSource, DocumentShelf } from './kept-answers.ts';

export interface TableAnswerParts {
  api: DataApi;
  http: HttpClient;
  shelf: DocumentShelf;
  serverNow: () => number;
}

type Where = NonNullable<PageQuestion['where']>[number];

/** A value inside the parentheses of `in`. */
const quoted = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

function conditionOf(condition: TableQuestion['where'][number], nowMs: number): Where {
  const { column } = condition;
  switch (condition.op) {
    case 'eq':
    case 'gte':
    case 'ilike':
      return { column, operator: condition.op, value: condition.value };
    case 'in':
    case 'not-in': {
      const value = `(${condition.values.map(quoted).join(',')})`;
      return { column, operator: condition.op === 'in' ? 'in' : 'not.in', value };
    }
    case 'after':
    case 'before': {
      const moment = dateMathText(condition.moment, nowMs);
      if (moment === null)
        throw new AppError('invalid', `${column}: ${condition.moment} is not a time`, { status: 400 });
      return {
        column,
        operator: condition.op === 'after' ? 'gt' : 'lt',
        value: moment,
      };
    }
  }
}

/** A function of the data API with its arguments (contract §17: GET with named arguments). */
function functionPath(name: string, question: TableQuestion): string {
  const named = question.where.flatMap((condition) =>
    condition.op === 'eq' ? [[condition.column, condition.value] as [string, string]] : [],
  );
  return `/api/db/rpc/${name}?${new URLSearchParams([...named, ['limit', String(question.limit)]]).toString()}`;
}

async function pageOf(
  parts: TableAnswerParts,
  question: TableQuestion,
  signal: AbortSignal,
): Promise<RowPage> {
  const { source } = TABLE_VIEWS[question.view];
  if ('path' in source || 'rpc' in source) {
    const path = 'path' in source ? source.path : functionPath(source.rpc, question);
    const rows = await parts.http.json({ path, signal });
    if (!Array.isArray(rows)) throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { retryable: true });
    return { rows, total: rows.length };
  }
  const where = question.where.map((condition) => conditionOf(condition, parts.serverNow()));
  const isSoft = 'isSoft' in source && source.isSoft;
  return parts.api.page({
    table: source.table,
    select: source.select,
    where: isSoft ? [...where, { column: 'deleted_at', operator: 'is', value: 'null' }] : where,
    order: question.order.map((one) => ({ ...one, isEmptyLast: one.isDescending })),
    limit: question.limit,
    offset: question.offset,
    wantsTotal: true,
    signal,
  });
}

/** A JSON schema that specs are written against (contract §15). */
export function specSchemaSource(parts: TableAnswerParts, file: string): AnswerSource<unknown> {
  return documentSource({
    id: `schema:${file}`,
    schema: z.unknown(),
    shelf: parts.shelf,
    serverNow: parts.serverNow,
    fetch: (signal) => parts.http.json({ path: `/api/schemas/${encodeURIComponent(file)}`, signal }),
  });
}

/** Keeps nothing: for what must not stay on a device. */
const NO_SHELF: DocumentShelf = { get: async () => null, put: async () => {} };

export function tableSource(parts: TableAnswerParts, question: TableQuestion): AnswerSource<TablePage> {
  const { row, isKept } = TABLE_VIEWS[question.view];
  const schema: z.ZodType<TablePage> = z.object({ rows: z.array(row as z.ZodType), total: z.number() });
  return documentSource({
    id: `table:${JSON.stringify(question)}`,
    schema,
    shelf: isKept ? parts.shelf : NO_SHELF,
    serverNow: parts.serverNow,
    fetch: async (signal) => {
      const page = await pageOf(parts, question, signal);
      return { rows: page.rows, total: page.total ?? question.offset + page.rows.length };
    },
  });
}
