/** The films behind the data API as `npm run data-api` serves it, over HTTP, on both databases. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDataApi } from '../../../server/replication/data-api/data-api.ts';
import type { DataApi } from '../../../server/replication/data-api/data-api.ts';
import type { Database } from '../../../server/platform/db/database.ts';
import { openEmptyDatabase } from '../../../server/platform/db/test-databases.ts';
import { createOpenDataServer } from '../../../server/replication/data-api/routes/open-data-server.ts';
import { FILM_SCHEMA, SCHEMA } from './film-schema.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

export interface FilmServer {
  db: Database;
  dataApi: DataApi;
  /** Sends a request; a body that is not text is sent as JSON. */
  send(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: unknown },
  ): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Moves the clock on; it stands still otherwise. */
  advance(ms: number): void;
  close(): Promise<void>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function startFilmServer(kind: Database['kind'], maxRows: number | null): Promise<FilmServer> {
  const db = await openEmptyDatabase(kind);
  await db.script(FILM_SCHEMA);
  let nowMs = Date.parse('2024-06-01T12:00:00Z');
  const dataApi = createDataApi({
    db,
    logger: pino({ level: 'silent' }),
    schema: SCHEMA,
    maxRows,
    isOpen: true,
    now: () => nowMs,
    policy: () => ({ kind: 'allowed' }),
    onWrite: () => undefined,
  });
  const app = createOpenDataServer(dataApi);
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const send: FilmServer['send'] = async (method, path, { headers = {}, body } = {}) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parseJson(text) };
  };
  return {
    db,
    dataApi,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    advance(ms) {
      nowMs += ms;
    },
    async close() {
      await app.close();
      await db.close();
    },
  };
}

/** Declares the suite once for each kind of database; `server` may be used inside tests. */
export function forEachFilmServer(
  suite: (server: () => FilmServer) => void,
  { maxRows = null }: { maxRows?: number | null } = {},
): void {
  describe.each<Database['kind']>(['pglite', 'postgres'])('on %s', (kind) => {
    let server: FilmServer | undefined;
    beforeAll(async () => {
      server = await startFilmServer(kind, maxRows);
    }, 120_000);
    afterAll(async () => {
      await server?.close();
    });
    suite(() => {
      if (server === undefined) throw new Error('the server has not started');
      return server;
    });
  });
}

/** Declares one test for each path with the JSON that it must answer. */
export function testAnswers(server: () => FilmServer, cases: readonly (readonly [string, unknown])[]): void {
  test.each(cases)('%s', async (path, expected) => {
    const answer = await server().get(path);
    expect(answer.json).toEqual(expected);
    expect(answer.status).toBe(200);
  });
}
