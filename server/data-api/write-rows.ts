/** Carries out one write of the data API inside its transaction. */
import type { Queryable } from '../db/database.ts';
import { DataApiError } from './api-error.ts';
import { parsePage } from './answer.ts';
import type { Page } from './answer.ts';
import type { Plan } from './plan.ts';
import type { Preferences } from './preferences.ts';
import type { ParsedRequest } from './request.ts';
import { createStatement } from './statement-query.ts';
import type { Statement } from './statement-query.ts';
import { insertBody, updateBody } from './write-body.ts';
import { conflictTarget, deleteSql, insertSql, updateSql } from './write-query.ts';
import type { Duplicates } from './write-query.ts';

export interface WriteRequest {
  method: string;
  body: string | undefined;
  parsed: ParsedRequest;
  plan: Plan;
  preferences: Preferences;
}

const NOTHING: Page = { total: null, returned: 0, body: '[]' };

function duplicatesOf({ plan, parsed, preferences }: WriteRequest): Duplicates | null {
  if (preferences.duplicates === null) return null;
  const conflict = conflictTarget(plan.relation, parsed.onConflict);
  const unknown = conflict.find((name) => !plan.relation.columns.has(name));
  if (conflict.length === 0 || unknown !== undefined) {
    throw new DataApiError(400, { code: '42703', message: 'on_conflict names a column that does not exist' });
  }
  return { resolution: preferences.duplicates, conflict };
}

function insertStatement(request: WriteRequest, statement: Statement): string | null {
  const { json, columns, rowCount } = insertBody(request.plan.relation, request.body, request.parsed.columns);
  if (rowCount === 0) return null;
  return insertSql(request.plan, statement, { body: json, columns, duplicates: duplicatesOf(request) });
}

/** An update or delete of everything is never meant. */
function assertBounded({ plan, parsed, method }: WriteRequest): void {
  const root = parsed.scopes.find((scope) => scope.path.length === 0);
  if (plan.conditions.length === 0) {
    throw new DataApiError(400, {
      code: '21000',
      message: `${method === 'DELETE' ? 'DELETE' : 'UPDATE'} requires a WHERE clause`,
    });
  }
  if (root !== undefined && (root.limit !== null || root.offset !== null)) {
    throw new DataApiError(400, { code: 'PGRST109', message: 'A write takes no limit' });
  }
}

function writeStatement(request: WriteRequest, statement: Statement): string | null {
  if (request.method === 'POST') return insertStatement(request, statement);
  assertBounded(request);
  if (request.method === 'DELETE') return deleteSql(request.plan, statement);
  const { json, columns } = updateBody(request.plan.relation, request.body, request.parsed.columns);
  return columns.length === 0 ? null : updateSql(request.plan, statement, { body: json, columns });
}

/** Writes and reads back what was written. */
export async function runWrite(tx: Queryable, request: WriteRequest): Promise<Page> {
  if (!request.plan.relation.isTable) {
    throw new DataApiError(405, {
      code: '0A000',
      message: `cannot write to view "${request.plan.relation.name}"`,
    });
  }
  const statement = createStatement();
  const sql = writeStatement(request, statement);
  return sql === null ? NOTHING : parsePage(await tx.text(sql, statement.params));
}
