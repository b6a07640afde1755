/** Calls of functions. */
import { answerPage, parsePage } from './answer.ts';
import type { DataApiAnswer, Page } from './answer.ts';
import { DataApiError } from '../parse/api-error.ts';
import { readGetCall, readPostCall } from './call-function.ts';
import type { FunctionCall } from './call-function.ts';
import { inSession, planContext } from './engine.ts';
import type { Engine, RequestContext } from './engine.ts';
import { parseRequest } from '../parse/parse-request.ts';
import { planRequest } from '../plan/plan.ts';
import type { Plan } from '../plan/plan.ts';
import { appliedHeader } from '../parse/preferences.ts';
import type { QueryPart } from '../parse/query-string.ts';
import { withRange } from '../parse/row-range.ts';
import type { RowWindow } from '../parse/row-range.ts';
import { callSql, valueSql } from '../sql/rpc-query.ts';
import { readSql } from '../sql/select-query.ts';
import { createStatement } from '../statement/statement-query.ts';

function answerOptions({ catalogue, request }: RequestContext): DataApiAnswer {
  const overloads = catalogue.functions.get(request.target.name) ?? [];
  const canBeRead = overloads.some((candidate) => !candidate.isVolatile);
  const allow = canBeRead ? 'OPTIONS,GET,HEAD,POST' : 'OPTIONS,POST';
  return { status: 200, headers: { allow }, body: '' };
}

function refuseTooMany(page: Page, { options }: RequestContext, returnsSet: boolean): void {
  const { maxAffected } = options.preferences;
  if (maxAffected === null) return;
  if (!returnsSet) {
    throw new DataApiError(400, {
      code: 'PGRST128',
      message:
        'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    });
  }
  if (page.returned > maxAffected) {
    throw new DataApiError(400, {
      code: 'PGRST124',
      message: 'Query result exceeds max-affected preference constraint',
      details: `The query affects ${page.returned} rows`,
    });
  }
}

/** The rows wanted of a set of plain values. */
function valueWindow({ maxRows }: Engine, { rest }: FunctionCall, { request }: RequestContext): RowWindow {
  const root = parseRequest(rest).scopes.find((scope) => scope.path.length === 0);
  const limit = Math.min(root?.limit ?? Infinity, maxRows ?? Infinity);
  const window = { limit: limit === Infinity ? null : limit, offset: root?.offset ?? 0 };
  return request.method === 'POST' ? window : withRange(window, request.headers['range']);
}

interface Shape {
  plan: Plan | null;
  window: RowWindow;
}

function callStatement(
  { called, values }: FunctionCall,
  { plan, window }: Shape,
  { options }: RequestContext,
) {
  const statement = createStatement();
  const { form } = options.media;
  const sql =
    plan === null
      ? valueSql(called, values, { statement, form, window })
      : readSql(plan, statement, {
          source: callSql(called, values, statement),
          withTotal: options.preferences.count !== null,
          form,
        });
  return { sql, params: statement.params };
}

function answerCall(
  page: Page,
  call: FunctionCall,
  { window, context }: { window: RowWindow; context: RequestContext },
) {
  const { options } = context;
  const { rows, returnsSet, returnsNothing } = call.called;
  refuseTooMany(page, context, returnsSet);
  if (returnsNothing) {
    const applied = appliedHeader(options.preferences, ['count', 'handling', 'timezone']);
    return { status: 204, headers: { 'content-range': '0-0/*', ...applied }, body: '' };
  }
  // A function of one row answers the row itself, one of a value the value.
  if (rows === null && !returnsSet) {
    return answerPage(page, 0, { ...options, media: { ...options.media, isSingle: false } });
  }
  const isSingle = options.media.isSingle || (!returnsSet && options.media.form !== 'csv');
  return answerPage(page, window.offset, { ...options, media: { ...options.media, isSingle } });
}

/** Answers any request for a function. */
export async function handleFunction(
  engine: Engine,
  context: RequestContext,
  parts: readonly QueryPart[],
): Promise<DataApiAnswer> {
  const { request, catalogue } = context;
  if (request.method === 'OPTIONS') return answerOptions(context);
  const wanted = { catalogue, name: request.target.name };
  const isRead = request.method !== 'POST';
  const call = isRead ? readGetCall(wanted, parts) : readPostCall(wanted, { parts, body: request.body });
  if (isRead && call.called.isVolatile && !engine.isOpen) {
    throw new DataApiError(405, {
      code: '25006',
      message: `${call.called.name} changes data; call it with POST`,
    });
  }
  const { rows } = call.called;
  const planned =
    rows === null ? null : planRequest(planContext(engine, context), rows, parseRequest(call.rest));
  const plan = planned === null || !isRead ? planned : withRange(planned, request.headers['range']);
  const window = plan ?? valueWindow(engine, call, context);
  const { sql, params } = callStatement(call, { plan, window }, context);
  return inSession(engine, { isReadOnly: isRead, context }, async (tx) => {
    const page = parsePage(await tx.text(sql, params));
    return answerCall(page, call, { window, context });
  });
}
