/** Carries out one write of the data API inside its transaction. */
import type { Queryable } from '../../../platform/db/database.ts';
import { DataApiError } from '../parse/api-error.ts';
import { parsePage } from './answer.ts';
import type { Page } from './answer.ts';
import type { OutputForm } from '../statement/output-query.ts';
import type { Plan } from '../plan/plan.ts';
import type { Preferences } from '../parse/preferences.ts';
import type { ParsedRequest } from '../parse/request.ts';
import { createStatement } from '../statement/statement-query.ts';
import type { Statement } from '../statement/statement-query.ts';
import { insertBody, updateBody } from '../parse/write-body.ts';
import { deleteSql, insertSql, updateSql } from '../sql/write-query.ts';
import type { Duplicates } from '../sql/write-query.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

export interface WriteRequest {
  method: string;
  body: string | undefined;
  parsed: ParsedRequest;
  plan: Plan;
  preferences: Preferences;
  form: OutputForm;
  rules: WriteRules;
}

export interface WriteRules {
  /** Views are written to where the database can. */
  allowsViews: boolean;
  /** An update or delete without a filter is taken at its word. */
  allowsAllRows: boolean;
}

const NOTHING: Page = { total: null, returned: 0, added: null, body: '[]' };

function duplicatesOf({ plan, parsed, preferences }: WriteRequest): Duplicates | null {
  if (preferences.duplicates === null) return null;
  const conflict = parsed.onConflict ?? plan.relation.primaryKey;
  const unknown = conflict.find((name) => !plan.relation.columns.has(name));
  if (unknown !== undefined) {
    throw new DataApiError(400, { code: '42703', message: 'on_conflict names a column that does not exist' });
  }
  // Without a key there are no duplicates to resolve.
  return conflict.length === 0 ? null : { resolution: preferences.duplicates, conflict };
}

function insertStatement(request: WriteRequest, statement: Statement): string | null {
  const { plan, parsed, preferences, form } = request;
  const { json, columns, rowCount } = insertBody(plan.relation, request.body, parsed.columns);
  if (rowCount === 0) return null;
  return insertSql(plan, statement, {
    body: json,
    columns,
    withDefaults: preferences.missing === 'default',
    form,
    duplicates: duplicatesOf(request),
    isFiltered: false,
  });
}

/** The filters of a PUT say the whole primary key and nothing else. */
function assertKeyFilters({ plan, parsed }: WriteRequest): void {
  const root = parsed.scopes.find((scope) => scope.path.length === 0);
  if (root !== undefined && (root.limit !== null || root.offset !== null)) {
    throw new DataApiError(400, {
      code: 'PGRST114',
      message: 'limit/offset querystring parameters are not allowed for PUT',
    });
  }
  const { primaryKey } = plan.relation;
  const isExact =
    primaryKey.length > 0 &&
    plan.conditions.length === primaryKey.length &&
    primaryKey.every((name) =>
      plan.conditions.some(
        (condition) =>
          condition.kind === 'comparison' &&
          condition.operator === 'eq' &&
          !condition.negated &&
          condition.quantifier === null &&
          condition.field.column === name &&
          condition.field.arrows.length === 0,
      ),
    );
  if (isExact) return;
  throw new DataApiError(405, {
    code: 'PGRST105',
    message: "Filters must include all and only primary key columns with 'eq' operators",
  });
}

function putStatement(request: WriteRequest, statement: Statement): string {
  assertKeyFilters(request);
  const { plan, parsed, form } = request;
  const { json, columns } = insertBody(plan.relation, request.body, parsed.columns);
  const { primaryKey } = plan.relation;
  if (!primaryKey.every((name) => columns.includes(name))) throw keyMismatch();
  return insertSql(plan, statement, {
    body: json,
    columns,
    withDefaults: false,
    form,
    duplicates: { resolution: 'merge', conflict: primaryKey },
    isFiltered: true,
  });
}

function keyMismatch(): DataApiError {
  return new DataApiError(400, {
    code: 'PGRST115',
    message: 'Payload values do not match URL in primary key column(s)',
  });
}

/** An update or delete of everything is not meant, and the first of rows in no order are any. */
function assertBounded({ plan, method, rules }: WriteRequest): void {
  if (plan.conditions.length === 0 && !rules.allowsAllRows) {
    throw new DataApiError(400, {
      code: '21000',
      message: `${method === 'DELETE' ? 'DELETE' : 'UPDATE'} requires a WHERE clause`,
    });
  }
  const isPart = plan.limit !== null || plan.offset !== 0;
  if (isPart && (plan.order.length === 0 || !plan.relation.hasRowVersions)) {
    throw new DataApiError(400, {
      code: 'PGRST109',
      message: "A 'limit' was applied without an explicit 'order'",
      hint: "Apply an 'order' using unique column(s)",
    });
  }
}

/** The plan of a write has no limit but the one asked for. */
function withOwnLimit({ plan, parsed }: WriteRequest): Plan {
  const root = parsed.scopes.find((scope) => scope.path.length === 0);
  return { ...plan, limit: root?.limit ?? null };
}

function writeStatement(request: WriteRequest, statement: Statement): string | null {
  const { method, form, preferences } = request;
  if (method === 'POST') return insertStatement(request, statement);
  if (method === 'PUT') return putStatement(request, statement);
  const plan = withOwnLimit(request);
  assertBounded({ ...request, plan });
  if (method === 'DELETE') return deleteSql(plan, statement, form);
  const { json, columns } = updateBody(plan.relation, request.body, request.parsed.columns);
  if (columns.length === 0) return null;
  const withDefaults = preferences.missing === 'default';
  return updateSql(plan, statement, { body: json, columns, withDefaults, form });
}

const VERBS = lookupTable<{ can: 'insert' | 'update' | 'delete'; phrase: string }>({
  POST: { can: 'insert', phrase: 'insert into' },
  PUT: { can: 'insert', phrase: 'insert into' },
  PATCH: { can: 'update', phrase: 'update' },
  DELETE: { can: 'delete', phrase: 'delete from' },
});

function assertWritable({ plan, method, rules }: WriteRequest): void {
  const { relation } = plan;
  const verb = VERBS[method];
  if (relation.isTable || (rules.allowsViews && verb !== undefined && relation.can[verb.can])) return;
  throw new DataApiError(405, {
    code: rules.allowsViews ? '55000' : '0A000',
    message: `cannot ${verb?.phrase ?? 'write to'} view "${relation.name}"`,
  });
}

/** Writes and reads back what was written. */
export async function runWrite(tx: Queryable, request: WriteRequest): Promise<Page> {
  assertWritable(request);
  const statement = createStatement();
  const sql = writeStatement(request, statement);
  const page = sql === null ? NOTHING : parsePage(await tx.text(sql, statement.params));
  if (request.method === 'PUT' && page.returned !== 1) throw keyMismatch();
  return page;
}
