/** Pages of the views that settings screens read on demand. */
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import { type TableQuestion } from '../../../src/contract/http/table-question.ts';
import { TABLE_VIEWS } from '../../../src/contract/http/table-views.ts';
import { SETTINGS_QUERIES } from '../../../src/contract/queries/settings-queries.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { dateMathText } from '../../../src/domain/time/date-math.ts';
import type { PageQuestion, RowPage } from '../network/data-api.ts';
import { handleCached, type QueryContext } from '../subscriptions/query-handler.ts';

type Where = NonNullable<PageQuestion['where']>[number];

/** A value inside the parentheses of `in`. */
const quoted = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

type Condition = TableQuestion['where'][number];
type Within = Extract<Condition, { op: 'within' }>;
type Plain = Exclude<Condition, Within>;

const isWithin = (condition: Condition): condition is Within => condition.op === 'within';
const isPlain = (condition: Condition): condition is Plain => !isWithin(condition);

function momentOf(text: string, field: string, nowMs: number): string {
  const moment = dateMathText(text, nowMs);
  if (moment === null) throw new AppError('invalid', `${field}: ${text} is not a time`, { status: 400 });
  return moment;
}

/** `and(start_time.gt.…,start_time.lt.…),and(created_at.…)`: what stands inside `or` (contract §7). */
function logicOf({ columns, after, before }: Within, nowMs: number): string {
  return columns
    .map((column) => {
      const bounds = [
        ...(after === null ? [] : [`${column}.gt.${momentOf(after, column, nowMs)}`]),
        ...(before === null ? [] : [`${column}.lt.${momentOf(before, column, nowMs)}`]),
      ];
      return `and(${bounds.join(',')})`;
    })
    .join(',');
}

function conditionOf(condition: Plain, nowMs: number): Where {
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
    case 'before':
      return {
        column,
        operator: condition.op === 'after' ? 'gt' : 'lt',
        value: momentOf(condition.moment, column, nowMs),
      };
  }
}

/** A function of the data API with its arguments (contract §17: GET with named arguments). */
function functionPath(name: string, question: TableQuestion): string {
  const named = question.where.flatMap((condition) =>
    condition.op === 'eq' ? [[condition.column, condition.value] as [string, string]] : [],
  );
  return `/api/db/rpc/${name}?${new URLSearchParams([...named, ['limit', String(question.limit)]]).toString()}`;
}

async function pageOf(context: QueryContext, question: TableQuestion, signal: AbortSignal): Promise<RowPage> {
  const { source } = TABLE_VIEWS[question.view];
  if ('path' in source || 'rpc' in source) {
    const path = 'path' in source ? source.path : functionPath(source.rpc, question);
    const rows = await context.http.json({ path, signal });
    if (!Array.isArray(rows)) throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { retryable: true });
    return { rows, total: rows.length };
  }
  const nowMs = context.serverNow();
  const where = question.where.filter(isPlain).map((condition) => conditionOf(condition, nowMs));
  const within = question.where.find(
    (condition) => isWithin(condition) && (condition.after ?? condition.before) !== null,
  );
  const isSoft = 'isSoft' in source && source.isSoft;
  return context.api.page({
    table: source.table,
    select: source.select,
    where: isSoft ? [...where, { column: 'deleted_at', operator: 'is', value: 'null' }] : where,
    ...(within !== undefined && isWithin(within) ? { logic: logicOf(within, nowMs) } : {}),
    order: question.order.map((one) => ({ ...one, isEmptyLast: one.isDescending })),
    limit: question.limit,
    offset: question.offset,
    wantsTotal: true,
    signal,
  });
}

/** What a device keeps of one list; of what is more, the total tells. */
const MOST_ROWS = 20_000;

const hasId = (row: unknown): boolean => isRecord(row) && typeof row['id'] === 'string';

/** Page after page, in an order that has no ties where rows can be told apart. */
async function allOf(context: QueryContext, question: TableQuestion, signal: AbortSignal): Promise<RowPage> {
  const first = await pageOf(context, question, signal);
  const { total } = first;
  if (total === null || total <= first.rows.length || !first.rows.every(hasId)) return first;
  const order = [...question.order, { column: 'id', isDescending: false }];
  const rows: unknown[] = [];
  for (let offset = 0; offset < Math.min(total, MOST_ROWS); offset += question.limit) {
    const page = await pageOf(context, { ...question, order, offset }, signal);
    rows.push(...page.rows);
    if (page.rows.length < question.limit) break;
  }
  return { rows, total: Math.max(total, rows.length) };
}

export const query = handleCached(SETTINGS_QUERIES['table'], {
  async fetch(context, question, signal) {
    const page = await (question.isWhole === true ? allOf : pageOf)(context, question, signal);
    return { rows: page.rows, total: page.total ?? question.offset + page.rows.length };
  },
});
