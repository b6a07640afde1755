/**
 * What the parts of the data API share while they answer: the database, the catalogue and who may read what.
 * A guarded engine serves the product's own tables by its policy. An open one serves whatever schema it is pointed
 * at, in that schema's search path, to whoever can reach it.
 */
import type { Logger } from 'pino';
import { may } from '../../../../src/domain/access/matrix.ts';
import type { Database, Queryable, Transactions } from '../../../platform/db/database.ts';
import type { TableVerdict } from '../../../access/policies/table-areas.ts';
import { unknownRelation } from '../parse/api-error.ts';
import type { AnswerOptions } from './answer.ts';
import { readCatalogue } from '../catalogue/catalogue-query.ts';
import type { Catalogue, Relation } from '../catalogue/catalogue.ts';
import type { PlanContext } from '../plan/plan.ts';
import { enterSession } from '../statement/session-query.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

export interface DataApiRequest {
  method: string;
  target: { kind: 'table' | 'rpc'; name: string };
  /** The raw query string, with or without `?`. */
  search: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The raw body. */
  body?: string | undefined;
  roles: readonly string[];
  /** Who asks: named in refusals, and the author of what is written. */
  subject?: string;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
}

export interface DataApiOptions {
  db: Database;
  logger: Logger;
  /** ms since 1970 */
  now: () => number;
  policy: (name: string, method: string, roles: readonly string[]) => TableVerdict;
  /** Called after a successful write with the table that was written. */
  onWrite: (table: string) => void;
  /** `public` unless given. */
  schema?: string;
  /** 2000 unless given; null for no limit. */
  maxRows?: number | null;
  /** Views and all rows of a table are written to as asked, and errors may name what was perhaps meant. */
  isOpen?: boolean;
}

export interface Engine extends Required<DataApiOptions> {
  catalogue: CatalogueLoader;
}

/** One request with how it wants its answer. */
export interface RequestContext {
  request: DataApiRequest;
  options: AnswerOptions;
  catalogue: Catalogue;
}

export interface CatalogueLoader {
  read(): Promise<Catalogue>;
  /** Forgets it, so that the next request reads it again. */
  forget(): void;
  /** Forgets it unless that was done just now; answers whether it did. */
  forgetIfOld(): boolean;
}

/** Who keeps asking for what does not exist does not make us read the whole catalogue each time. */
const FRESH_MS = 1000;

/** Reads the catalogue once; a failure is not kept. */
export function createCatalogueLoader(
  options: Required<Pick<DataApiOptions, 'db' | 'schema' | 'isOpen' | 'now'>>,
): CatalogueLoader {
  let loading: Promise<Catalogue> | undefined;
  let readAtMs = 0;
  const forget = () => {
    loading = undefined;
  };
  return {
    async read() {
      if (loading === undefined) {
        readAtMs = options.now();
        loading = readCatalogue(options.db, options.schema, options.isOpen);
      }
      try {
        return await loading;
      } catch (error) {
        loading = undefined;
        throw error;
      }
    },
    forget,
    forgetIfOld() {
      if (options.now() - readAtMs < FRESH_MS) return false;
      forget();
      return true;
    },
  };
}

class AccessDenied extends Error {
  readonly verdict: Extract<TableVerdict, { kind: 'denied' }>;

  constructor(verdict: Extract<TableVerdict, { kind: 'denied' }>) {
    super('unauthorized. Access Denied');
    this.name = 'AccessDenied';
    this.verdict = verdict;
  }
}

/** The verdict that an error carries, if it is a refusal of access. */
export function deniedBy(error: unknown): Extract<TableVerdict, { kind: 'denied' }> | null {
  return error instanceof AccessDenied ? error.verdict : null;
}

/** Views that compute much for each row come in smaller pages; the app asks them for single rows. */
const WIDE_VIEW_ROWS = lookupTable<number>({ config_detail: 25 });

function mostRows({ maxRows, isOpen }: Engine, { name }: Relation): number | null {
  const ofView = isOpen ? undefined : WIDE_VIEW_ROWS[name];
  return ofView === undefined || maxRows === null ? maxRows : Math.min(ofView, maxRows);
}

/** Embedding is reading: what the caller may not read cannot be reached through another table. */
export function planContext(engine: Engine, { catalogue, request }: RequestContext): PlanContext {
  return {
    catalogue,
    maxRows: (relation) => mostRows(engine, relation),
    assertReadable(relation: Relation) {
      const verdict = engine.policy(relation.name, 'GET', request.roles);
      if (verdict.kind === 'unknown') throw unknownRelation(catalogue.schema, relation.name);
      if (verdict.kind === 'denied') throw new AccessDenied(verdict);
    },
  };
}

/** The database as the request's caller has it. */
export function callerDatabase(engine: Engine, { request }: RequestContext): Transactions {
  return engine.db.asCaller({ id: request.subject ?? '', signal: request.signal });
}

/** Runs work in a transaction of the request's own settings; what only reads cannot write there. */
export async function inSession<T>(
  engine: Engine,
  { isReadOnly, context }: { isReadOnly: boolean; context: RequestContext },
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const { request, options } = context;
  const { timezone } = options.preferences;
  return callerDatabase(engine, context).transaction(async (tx) => {
    const schema = engine.isOpen ? engine.schema : null;
    const mayGrant = may(request.roles, 'connections', 'write');
    const actor = engine.isOpen || isReadOnly ? null : (request.subject ?? null);
    await enterSession(tx, { schema, timezone, isReadOnly, mayGrant, actor });
    return work(tx);
  });
}
