/**
 * Writes single rows through the data API's own path (catalogue, plan, statement) inside somebody else's
 * transaction, so that commands and `/api/db` have one implementation of a write. Owns no transaction; access is
 * decided for every write with the roles it was opened for.
 */
import type { Queryable } from '../../../platform/db/database.ts';
import { refuseUnless } from '../../../access/policies/refuse-unless.ts';
import type { TableVerdict } from '../../../access/policies/table-areas.ts';
import { unknownRelation } from '../parse/api-error.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { parseRequest } from '../parse/parse-request.ts';
import { planRequest } from '../plan/plan.ts';
import { readPreferences } from '../parse/preferences.ts';
import { runWrite } from './write-rows.ts';

export type WrittenRow = Readonly<Record<string, unknown>>;
/** Columns and the ids that they must equal. */
export type RowFilter = Readonly<Record<string, string>>;

export interface TableWriter {
  insert(table: string, row: WrittenRow): Promise<void>;
  /** Answers how many rows changed. */
  patch(table: string, where: RowFilter, fields: WrittenRow): Promise<number>;
  /** Deletes for good; answers how many rows went. */
  remove(table: string, where: RowFilter): Promise<number>;
  /** Rows of a table that isn't behind the data API were written in the same transaction. */
  wrote(table: string): void;
  /** Tables in which rows were written. */
  written(): string[];
}

export interface WriterDeps {
  catalogue: Catalogue;
  policy: (name: string, method: string, roles: readonly string[]) => TableVerdict;
  roles: readonly string[];
  subject: string;
}

interface Write {
  method: 'POST' | 'PATCH' | 'DELETE';
  table: string;
  where: RowFilter;
  body: WrittenRow | null;
}

const NO_WISHES = readPreferences(undefined);
const RULES = { allowsViews: false, allowsAllRows: false };

function refuseDenied({ policy, roles, subject, catalogue }: WriterDeps, { table, method }: Write): void {
  const verdict = policy(table, method, roles);
  if (verdict.kind === 'unknown') throw unknownRelation(catalogue.schema, table);
  if (verdict.kind === 'denied') {
    refuseUnless(false, { subject, object: verdict.object, action: verdict.action });
  }
}

/** Throws `DataApiError` as the data API would answer. */
export function createTableWriter(tx: Queryable, deps: WriterDeps): TableWriter {
  const { catalogue } = deps;
  const tables = new Set<string>();

  async function write(request: Write): Promise<number> {
    const { method, table, where, body } = request;
    refuseDenied(deps, request);
    const relation = catalogue.relations.get(table);
    if (relation === undefined) throw unknownRelation(catalogue.schema, table);
    const parsed = parseRequest(
      Object.entries(where).map(([name, value]) => ({ name, value: `eq.${value}` })),
    );
    // Nothing is embedded, so nothing but the written table is read.
    const plan = planRequest(
      { catalogue, maxRows: () => null, assertReadable: () => undefined },
      relation,
      parsed,
    );
    const page = await runWrite(tx, {
      method,
      body: body === null ? undefined : JSON.stringify(body),
      parsed,
      plan,
      preferences: NO_WISHES,
      form: 'json',
      rules: RULES,
    });
    if (page.returned > 0) tables.add(table);
    return page.returned;
  }

  return {
    async insert(table, row) {
      await write({ method: 'POST', table, where: {}, body: row });
    },
    patch: (table, where, fields) => write({ method: 'PATCH', table, where, body: fields }),
    remove: (table, where) => write({ method: 'DELETE', table, where, body: null }),
    wrote: (table) => void tables.add(table),
    written: () => [...tables],
  };
}
