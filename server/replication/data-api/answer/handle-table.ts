/** Requests for a table or view. */
import type { Queryable } from '../../../platform/db/database.ts';
import { answerChanged, answerInserted, answerPage, answerPut, parsePage } from './answer.ts';
import type { DataApiAnswer, Page } from './answer.ts';
import { DataApiError, unknownRelation } from '../parse/api-error.ts';
import type { Relation } from '../catalogue/catalogue.ts';
import { closestName } from '../parse/closest-name.ts';
import { callerDatabase, inSession, planContext } from './engine.ts';
import type { Engine, RequestContext } from './engine.ts';
import { parseRequest } from '../parse/parse-request.ts';
import { planRequest } from '../plan/plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { QueryPart } from '../parse/query-string.ts';
import type { ParsedRequest } from '../parse/request.ts';
import { withRange } from '../parse/row-range.ts';
import { readSql } from '../sql/select-query.ts';
import { createStatement } from '../statement/statement-query.ts';
import { runWrite } from './write-rows.ts';

function relationOf({ request, catalogue }: RequestContext): Relation {
  const { name } = request.target;
  const relation = catalogue.relations.get(name);
  if (relation !== undefined) return relation;
  const closest = catalogue.isOpen ? closestName(name, [...catalogue.relations.keys()]) : null;
  const unknown = unknownRelation(catalogue.schema, name);
  if (closest === null) throw unknown;
  throw new DataApiError(unknown.status, {
    ...unknown.body,
    hint: `Perhaps you meant the table '${catalogue.schema}.${closest}'`,
  });
}

/** What may be done with a relation, for OPTIONS. */
function allowed({ can, primaryKey }: Relation): string {
  return [
    'OPTIONS,GET,HEAD',
    ...(can.insert ? ['POST'] : []),
    ...(can.insert && can.update && primaryKey.length > 0 ? ['PUT'] : []),
    ...(can.update ? ['PATCH'] : []),
    ...(can.delete ? ['DELETE'] : []),
  ].join(',');
}

async function readTable(engine: Engine, plan: Plan, context: RequestContext): Promise<DataApiAnswer> {
  const { options, request } = context;
  const ranged = withRange(plan, request.headers['range']);
  const statement = createStatement();
  const { form } = options.media;
  const sql = readSql(ranged, statement, { withTotal: options.preferences.count !== null, form });
  const read = async (db: Queryable) => parsePage(await db.text(sql, statement.params));
  const isPlain = !engine.isOpen && options.preferences.timezone === null;
  const page = isPlain
    ? await read(callerDatabase(engine, context))
    : await inSession(engine, { isReadOnly: true, context }, read);
  return answerPage(page, ranged.offset, options);
}

/** Only the key is needed to say where the new row is. */
function keyPlan(plan: Plan): Plan {
  const columns = plan.relation.primaryKey.flatMap((name) => {
    const column = plan.relation.columns.get(name);
    return column === undefined
      ? []
      : [{ key: name, field: { column: name, arrows: [], of: column }, cast: 'text' }];
  });
  return { ...plan, columns, embeds: [], order: [] };
}

/** `/table?key=eq.value` of the one row that was inserted. */
function locationOf(relation: Relation, page: Page): string | null {
  if (page.returned !== 1 || relation.primaryKey.length === 0) return null;
  // Our own text columns, as the key plan selects them.
  const [row = {}] = JSON.parse(page.body) as Record<string, string>[];
  const query = relation.primaryKey.map(
    (name) => `${encodeURIComponent(name)}=${encodeURIComponent(`eq.${row[name] ?? ''}`)}`,
  );
  return `/${encodeURIComponent(relation.name)}?${query.join('&')}`;
}

function answerWrite(
  context: RequestContext,
  plan: Plan,
  { page, parsed }: { page: Page; parsed: ParsedRequest },
) {
  const { request, options } = context;
  if (request.method === 'PUT') return answerPut(page, options);
  if (request.method === 'PATCH' || request.method === 'DELETE')
    return answerChanged(page, request.method, options);
  const isLocated = options.preferences.returns === 'headers-only';
  return answerInserted(
    page,
    {
      location: isLocated ? locationOf(plan.relation, page) : null,
      hasKey: parsed.onConflict !== null || plan.relation.primaryKey.length > 0,
    },
    options,
  );
}

/** Answers any request for a table or view. */
export async function handleTable(
  engine: Engine,
  context: RequestContext,
  parts: readonly QueryPart[],
): Promise<DataApiAnswer> {
  const { request, options } = context;
  const relation = relationOf(context);
  if (request.method === 'OPTIONS') return { status: 200, headers: { allow: allowed(relation) }, body: '' };
  const parsed = parseRequest(parts);
  const plan = planRequest(planContext(engine, context), relation, parsed);
  const { method, body } = request;
  if (method === 'GET' || method === 'HEAD') return readTable(engine, plan, context);

  const { preferences, media } = options;
  const isLocated = method === 'POST' && preferences.returns === 'headers-only';
  const written = await inSession(engine, { isReadOnly: false, context }, async (tx) => {
    const page = await runWrite(tx, {
      method,
      body,
      parsed,
      plan: isLocated ? keyPlan(plan) : plan,
      preferences,
      form: isLocated ? 'json' : media.form,
      rules: { allowsViews: engine.isOpen, allowsAllRows: engine.isOpen },
    });
    // Refused here, if at all, so that the transaction is rolled back.
    return { answer: answerWrite(context, plan, { page, parsed }), count: page.returned };
  });
  if (written.count > 0) engine.onWrite(relation.name);
  return written.answer;
}
