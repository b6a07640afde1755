/**
 * The data API: PostgREST's query language over our tables (contract §16, §17). Parse, check against the
 * catalogue, one parameterised statement. Knows nothing of HTTP servers, sessions or single tables; who may do
 * what is the policy's. Whatever the query, the answer is JSON and never the text of a statement.
 */
import type { Queryable } from '../../platform/db/database.ts';
import { DatabaseError } from '../../platform/db/database-error.ts';
import type { TableVerdict } from '../../access/policies/table-areas.ts';
import { answerError } from './answer/answer.ts';
import type { DataApiAnswer } from './answer/answer.ts';
import { DataApiError, clip, refusedByDatabase } from './parse/api-error.ts';
import { guardFormulas } from './answer/csv-guard.ts';
import { createCatalogueLoader, deniedBy } from './answer/engine.ts';
import type { DataApiOptions, DataApiRequest, Engine } from './answer/engine.ts';
import { rewriteFilters } from './parse/filter-rewrite.ts';
import { handleFunction } from './answer/handle-function.ts';
import { handleTable } from './answer/handle-table.ts';
import { readMediaType } from './parse/media-type.ts';
import { readPreferences } from './parse/preferences.ts';
import { parseQueryString } from './parse/query-string.ts';
import type { QueryPart } from './parse/query-string.ts';
import { createTableWriter } from './answer/table-writer.ts';
import type { TableWriter, WriterDeps } from './answer/table-writer.ts';

/** For whom rows are written. */
export type WriteAuthor = Pick<WriterDeps, 'roles' | 'subject'>;

export interface DataApi {
  handle(request: DataApiRequest): Promise<DataApiAnswer>;
  /** A writer for transactions of the caller, who also tells what was written. Call it outside of them. */
  openWriter(author: WriteAuthor): Promise<(tx: Queryable) => TableWriter>;
  /** Tables, keys or functions have changed. */
  forgetCatalogue(): void;
}

/** More rows than this come in pages (contract §16). */
const MAX_ROWS = 2000;
const TABLE_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);
const CALL_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

type Denial = Extract<TableVerdict, { kind: 'denied' }>;

function readParts(search: string, nowMs: number): QueryPart[] {
  const parts = parseQueryString(search);
  if (parts.some((part) => `${part.name}${part.value}`.includes('\0'))) {
    throw new DataApiError(400, {
      code: '22021',
      message: 'the query has a character that text cannot hold',
    });
  }
  return rewriteFilters(parts, nowMs);
}

function assertMethod({ method, target }: DataApiRequest): void {
  if (!TABLE_METHODS.has(method)) {
    throw new DataApiError(405, { code: 'PGRST117', message: `Unsupported HTTP method: ${method}` });
  }
  if (target.kind === 'rpc' && !CALL_METHODS.has(method)) {
    throw new DataApiError(405, { code: 'PGRST101', message: `Cannot use the ${method} method on RPC` });
  }
}

/** The schema that a client names must be the one that is served. */
function assertSchema({ schema }: Engine, { method, headers }: DataApiRequest): void {
  const isRead = method === 'GET' || method === 'HEAD';
  const named = headers[isRead ? 'accept-profile' : 'content-profile'];
  if (named === undefined || named === '' || named === schema) return;
  throw new DataApiError(406, {
    code: 'PGRST106',
    message: `Invalid schema: ${clip(named)}`,
    hint: `Only the following schemas are exposed: ${schema}`,
  });
}

async function answerAllowed(engine: Engine, request: DataApiRequest): Promise<DataApiAnswer> {
  assertMethod(request);
  assertSchema(engine, request);
  const { headers } = request;
  const options = {
    preferences: readPreferences(headers['prefer']),
    media: readMediaType(headers['accept']),
  };
  const parts = readParts(request.search, engine.now());
  const context = { request, options, catalogue: await engine.catalogue.read() };
  const answer = await (request.target.kind === 'rpc'
    ? handleFunction(engine, context, parts)
    : handleTable(engine, context, parts));
  if (request.method === 'HEAD') return { ...answer, body: '' };
  const isGuarded = options.media.form === 'csv' && answer.status < 400 && !engine.isOpen;
  return isGuarded ? { ...answer, body: guardFormulas(answer.body) } : answer;
}

/** Errors that say that something does not exist, which may be because the catalogue is out of date. */
const UNKNOWN: ReadonlySet<string> = new Set([
  'PGRST200',
  'PGRST202',
  'PGRST204',
  'PGRST205',
  '42703',
  '42704',
  '42883',
  '42P01',
]);

/** The answer to an error; anything but a refusal is thrown on. */
function answerFailure(engine: Engine, request: DataApiRequest, error: unknown): DataApiAnswer {
  const denial = deniedBy(error);
  if (denial !== null) return answerDenied(denial, request.subject);
  if (error instanceof DataApiError) return answerError(error);
  if (!(error instanceof DatabaseError)) throw error;
  const refused = refusedByDatabase(error);
  if (refused.status >= 500) {
    engine.logger.error({ err: error, target: request.target }, 'a data API statement failed');
  }
  return answerError(refused);
}

function isUnknownName(error: unknown): boolean {
  if (error instanceof DataApiError) return UNKNOWN.has(error.body.code);
  return error instanceof DatabaseError && UNKNOWN.has(error.sqlState);
}

/** An open schema may change under us: what it seemed not to have is looked for once more. */
async function answerWithRetry(engine: Engine, request: DataApiRequest): Promise<DataApiAnswer> {
  try {
    return await answerAllowed(engine, request);
  } catch (error) {
    const isWorthIt = engine.isOpen && isUnknownName(error) && engine.catalogue.forgetIfOld();
    if (!isWorthIt) throw error;
    return answerAllowed(engine, request);
  }
}

function answerDenied(verdict: Denial, subject: string | undefined): DataApiAnswer {
  return {
    status: 403,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'x-rbac-subject': subject ?? '',
      'x-rbac-object': verdict.object,
      'x-rbac-action': verdict.action,
    },
    body: 'unauthorized. Access Denied',
  };
}

/** The data API over a migrated database. */
export function createDataApi(options: DataApiOptions): DataApi {
  const { schema = 'public', maxRows = MAX_ROWS, isOpen = false } = options;
  const catalogue = createCatalogueLoader({ ...options, schema, isOpen });
  const engine: Engine = { ...options, schema, maxRows, isOpen, catalogue };
  return {
    async handle(request) {
      const { kind, name } = request.target;
      const verdict = engine.policy(kind === 'rpc' ? `rpc/${name}` : name, request.method, request.roles);
      if (verdict.kind === 'unknown') return { status: 404, headers: {}, body: '' };
      if (verdict.kind === 'denied') return answerDenied(verdict, request.subject);
      try {
        return await answerWithRetry(engine, request);
      } catch (error) {
        return answerFailure(engine, request, error);
      }
    },
    async openWriter(author) {
      const known = await catalogue.read();
      return (tx) => createTableWriter(tx, { ...author, catalogue: known, policy: engine.policy });
    },
    forgetCatalogue: () => catalogue.forget(),
  };
}
