/**
 * The data API: PostgREST's query language over our tables (contract §16, §17). Parse, check against the
 * catalogue, one parameterised statement. Knows nothing of HTTP servers, sessions or single tables; who may do
 * what is the policy's. Whatever the query, the answer is JSON and never the text of a statement.
 */
import type { Logger } from 'pino';
import type { Database, Queryable } from '../db/database.ts';
import { DatabaseError } from '../db/database-error.ts';
import type { TableVerdict } from '../policies/table-areas.ts';
import { JSON_TYPE, answerError, answerPage, answerWritten, parsePage } from './answer.ts';
import type { DataApiAnswer } from './answer.ts';
import { DataApiError, refusedByDatabase, unknownRelation } from './api-error.ts';
import { readGetCall, readPostCall, runCall } from './call-function.ts';
import { readCatalogue } from './catalogue-query.ts';
import type { Catalogue } from './catalogue.ts';
import { rewriteFilters } from './filter-rewrite.ts';
import { parseRequest } from './parse-request.ts';
import { MAX_ROWS, planRequest } from './plan.ts';
import type { Plan, PlanContext } from './plan.ts';
import { readPreferences } from './preferences.ts';
import type { Preferences, RequestHeaders } from './preferences.ts';
import { parseQueryString } from './query-string.ts';
import type { QueryPart } from './query-string.ts';
import { readSql } from './select-query.ts';
import { createStatement } from './statement-query.ts';
import { createTableWriter } from './table-writer.ts';
import type { TableWriter, WriterDeps } from './table-writer.ts';
import { runWrite } from './write-rows.ts';

export interface DataApiRequest {
  method: string;
  target: { kind: 'table' | 'rpc'; name: string };
  /** The raw query string, with or without `?`. */
  search: string;
  /** Names in lower case. */
  headers: RequestHeaders;
  /** The raw body. */
  body?: string | undefined;
  roles: readonly string[];
  /** Who asks, for the header of a refusal. */
  subject?: string;
}

export interface DataApiOptions {
  db: Database;
  logger: Logger;
  /** ms since 1970 */
  now: () => number;
  policy: (name: string, method: string, roles: readonly string[]) => TableVerdict;
  /** Called after a successful write with the table that was written. */
  onWrite: (table: string) => void;
}

/** For whom rows are written. */
export type WriteAuthor = Pick<WriterDeps, 'roles' | 'subject'>;

export interface DataApi {
  handle(request: DataApiRequest): Promise<DataApiAnswer>;
  /** A writer for transactions of the caller, who also tells what was written. Call it outside of them. */
  openWriter(author: WriteAuthor): Promise<(tx: Queryable) => TableWriter>;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']);

type Denial = Extract<TableVerdict, { kind: 'denied' }>;

class AccessDenied extends Error {
  readonly verdict: Denial;

  constructor(verdict: Denial) {
    super('unauthorized. Access Denied');
    this.name = 'AccessDenied';
    this.verdict = verdict;
  }
}

/** The header Range is a limit and offset that the query did not give. */
function withRange(plan: Plan, { range }: Preferences): Plan {
  if (range === null) return plan;
  const rows = range.last === null ? MAX_ROWS : range.last - range.first + 1;
  return { ...plan, offset: plan.offset + range.first, limit: Math.min(plan.limit, rows) };
}

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

interface Engine extends DataApiOptions {
  catalogue: () => Promise<Catalogue>;
}

/** Reads the catalogue once; a failure is not kept. */
function createCatalogueLoader(db: Database): () => Promise<Catalogue> {
  let loading: Promise<Catalogue> | undefined;
  return async () => {
    loading ??= readCatalogue(db);
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
}

/** Embedding is reading: what the caller may not read cannot be reached through another table. */
function planContext(engine: Engine, catalogue: Catalogue, roles: readonly string[]): PlanContext {
  return {
    catalogue,
    assertReadable(relation) {
      const verdict = engine.policy(relation.name, 'GET', roles);
      if (verdict.kind === 'unknown') throw unknownRelation(relation.name);
      if (verdict.kind === 'denied') throw new AccessDenied(verdict);
    },
  };
}

async function readTable(engine: Engine, plan: Plan, preferences: Preferences): Promise<DataApiAnswer> {
  const ranged = withRange(plan, preferences);
  const statement = createStatement();
  const sql = readSql(ranged, statement, { withTotal: preferences.withTotal });
  return answerPage(parsePage(await engine.db.text(sql, statement.params)), ranged.offset, preferences);
}

async function handleTable(
  engine: Engine,
  request: DataApiRequest,
  preferences: Preferences,
): Promise<DataApiAnswer> {
  const catalogue = await engine.catalogue();
  const relation = catalogue.relations.get(request.target.name);
  if (relation === undefined) throw unknownRelation(request.target.name);
  const parsed = parseRequest(readParts(request.search, engine.now()));
  const plan = planRequest(planContext(engine, catalogue, request.roles), relation, parsed);
  const { method, body } = request;
  if (method === 'GET' || method === 'HEAD') return readTable(engine, plan, preferences);

  const written = await engine.db.transaction(async (tx) => {
    const page = await runWrite(tx, { method, body, parsed, plan, preferences });
    return { answer: answerWritten(page, method === 'POST', preferences), count: page.returned };
  });
  if (written.count > 0) engine.onWrite(relation.name);
  return written.answer;
}

async function handleFunction(
  engine: Engine,
  request: DataApiRequest,
  preferences: Preferences,
): Promise<DataApiAnswer> {
  const { name } = request.target;
  const catalogue = await engine.catalogue();
  const overloads = catalogue.functions.get(name) ?? [];
  const parts = readParts(request.search, engine.now());
  const call =
    request.method === 'POST'
      ? readPostCall(overloads, name, { parts, body: request.body })
      : readGetCall(overloads, name, parts);
  const { rows, returnsSet } = call.called;
  const context = planContext(engine, catalogue, request.roles);
  const plan =
    rows === null ? null : withRange(planRequest(context, rows, parseRequest(call.rest)), preferences);
  const page = await runCall(engine.db, call, { plan, withTotal: preferences.withTotal });
  if (rows === null && !returnsSet)
    return { status: 200, headers: { 'content-type': JSON_TYPE }, body: page.body };
  // A function of one row answers the row itself.
  const isSingleObject = preferences.isSingleObject || !returnsSet;
  return answerPage(page, plan?.offset ?? 0, { ...preferences, isSingleObject });
}

async function answerAllowed(engine: Engine, request: DataApiRequest): Promise<DataApiAnswer> {
  const { method, target } = request;
  const isForRpc = method === 'GET' || method === 'HEAD' || method === 'POST';
  if (!METHODS.has(method) || (target.kind === 'rpc' && !isForRpc)) {
    throw new DataApiError(405, { code: 'PGRST117', message: `Unsupported HTTP method: ${method}` });
  }
  const preferences = readPreferences(request.headers);
  const answer =
    target.kind === 'rpc'
      ? await handleFunction(engine, request, preferences)
      : await handleTable(engine, request, preferences);
  return method === 'HEAD' ? { ...answer, body: '' } : answer;
}

function answerFailure(engine: Engine, request: DataApiRequest, error: unknown): DataApiAnswer {
  if (error instanceof AccessDenied) return answerDenied(error.verdict, request.subject);
  if (error instanceof DataApiError) return answerError(error);
  if (!(error instanceof DatabaseError)) throw error;
  const refused = refusedByDatabase(error);
  if (refused.status >= 500) {
    engine.logger.error({ err: error, target: request.target }, 'a data API statement failed');
  }
  return answerError(refused);
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
  const engine: Engine = { ...options, catalogue: createCatalogueLoader(options.db) };
  return {
    async handle(request) {
      const { kind, name } = request.target;
      const verdict = engine.policy(kind === 'rpc' ? `rpc/${name}` : name, request.method, request.roles);
      if (verdict.kind === 'unknown') return { status: 404, headers: {}, body: '' };
      if (verdict.kind === 'denied') return answerDenied(verdict, request.subject);
      try {
        return await answerAllowed(engine, request);
      } catch (error) {
        return answerFailure(engine, request, error);
      }
    },
    async openWriter(author) {
      const catalogue = await engine.catalogue();
      return (tx) => createTableWriter(tx, { ...author, catalogue, policy: engine.policy });
    },
  };
}
