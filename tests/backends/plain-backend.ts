/**
 * A small backend of the contract for tests: real HTTP, tables in memory, the data API's filters, paging and
 * counts, the browser sign-in flow. With `extras` it also has our capabilities and event stream. Its clock is
 * the machine's. Nothing here knows the client.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Cell = string | number | boolean | null | undefined;
export type Row = Record<string, Cell>;
type Test = (row: Row) => boolean;

/** What every request meets before it is answered. */
export type Weather = 'fine' | 'captive' | 'unauthorized' | 'cut' | 'broken';

function compare(value: Cell, operator: string, wanted: string): boolean {
  if (operator === 'is') return String(value ?? null) === wanted;
  if (value === null || value === undefined) return false;
  if (operator === 'in') return wanted.slice(1, -1).split(',').includes(String(value));
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  const [a, b] =
    typeof value === 'number'
      ? [value, Number(wanted)]
      : isTime
        ? [Date.parse(value), Date.parse(wanted)]
        : [String(value), wanted];
  if (operator === 'eq') return a === b;
  if (operator === 'gt') return a > b;
  if (operator === 'gte') return a >= b;
  throw new Error(`operator ${operator}`);
}

function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const char = text[at];
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (at === text.length || (char === ',' && depth === 0)) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return parts;
}

function logic(text: string): Test {
  const tree = /^(and|or)\((.*)\)$/.exec(text);
  if (tree !== null) {
    const tests = splitTop(tree[2] ?? '').map(logic);
    return tree[1] === 'and'
      ? (row) => tests.every((test) => test(row))
      : (row) => tests.some((test) => test(row));
  }
  const [column = '', operator = '', ...rest] = text.split('.');
  return (row) => compare(row[column], operator, rest.join('.'));
}

function sorted(rows: Row[], order: string): Row[] {
  const keys = order.split(',').map((part) => part.split('.'));
  return rows.toSorted((a, b) => {
    for (const [column = '', direction] of keys) {
      const x = String(a[column] ?? '~');
      const y = String(b[column] ?? '~');
      if (x !== y) return (x < y ? -1 : 1) * (direction === 'desc' ? -1 : 1);
    }
    return 0;
  });
}

export interface PlainBackend {
  origin: string;
  tables: Record<string, Row[]>;
  /** Paths with their query, as asked. */
  asked: string[];
  weather: Weather;
  /** As `GET /properties` tells them. */
  properties: { name: string; value: string }[];
  /** Rows that a page holds at most, whatever is asked. */
  pageCap: number;
  delayMs: number;
  user: { id: string; name: string; type?: string } | null;
  send(event: string, data: unknown): void;
  dropStreams(): void;
  close(): Promise<void>;
}

const RESERVED = new Set(['select', 'order', 'limit', 'offset', 'or', 'and']);

export async function startPlainBackend(options: { extras?: boolean } = {}): Promise<PlainBackend> {
  const streams = new Set<ServerResponse>();
  const backend: PlainBackend = {
    origin: '',
    tables: { check_summary: [], canaries: [], check_statuses: [], checks: [] },
    asked: [],
    weather: 'fine',
    properties: [],
    pageCap: 2000,
    delayMs: 0,
    user: { id: 'u1', name: 'Ada' },
    send(event, data) {
      for (const stream of streams) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    dropStreams() {
      for (const stream of streams) stream.destroy();
      streams.clear();
    },
    close: async () => {
      backend.dropStreams();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const json = (
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

  const table = (request: IncomingMessage, response: ServerResponse, url: URL) => {
    const rows = backend.tables[url.pathname.slice('/api/db/'.length)];
    if (rows === undefined) {
      response.writeHead(404).end();
      return;
    }
    const tests: Test[] = [];
    for (const [key, value] of url.searchParams) {
      if (key === 'or' || key === 'and') tests.push(logic(`${key}${value}`));
      else if (!RESERVED.has(key)) tests.push(logic(`${key}.${value}`));
    }
    const found = sorted(
      rows.filter((row) => tests.every((test) => test(row))),
      url.searchParams.get('order') ?? 'id',
    );
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const limit = Math.min(Number(url.searchParams.get('limit') ?? 2000), backend.pageCap);
    const page = found.slice(offset, offset + limit);
    const total = String(request.headers.prefer ?? '').includes('count=exact') ? found.length : '*';
    json(response, 200, page, { 'content-range': `${offset}-${offset + page.length - 1}/${total}` });
  };

  const signIn = (request: IncomingMessage, response: ServerResponse, messages: unknown[]) => {
    const ui = { action: '/login', method: 'POST', nodes: [], messages };
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part.toString();
    });
    request.on('end', () => {
      const body = JSON.parse(text) as { identifier: string; password: string };
      if (body.password === 'right') {
        backend.user = { id: body.identifier, name: body.identifier };
        json(response, 200, { session: {} });
      } else
        json(response, 400, {
          id: 'f',
          ui: { ...ui, messages: [{ id: 1, text: 'Wrong password', type: 'error' }] },
        });
    });
  };

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => void> = {
    '/api/auth/whoami': (_, response) =>
      backend.user === null
        ? json(response, 401, { error: 'Not logged in' })
        : json(response, 200, { message: 'success', payload: { user: backend.user, roles: ['viewer'] } }),
    '/api/properties': (_, response) =>
      backend.user === null
        ? json(response, 401, { error: 'Not logged in' })
        : json(response, 200, backend.properties),
    '/api/.ory/self-service/login/browser': (_, response) =>
      json(response, 200, { id: 'f', ui: { action: '/', method: 'POST', nodes: [], messages: [] } }),
    '/api/.ory/self-service/login': (request, response) => signIn(request, response, []),
    '/api/.ory/self-service/logout/browser': (_, response) =>
      json(response, 200, { logout_token: 't', logout_url: '/' }),
    '/api/.ory/self-service/logout': (_, response) => {
      backend.user = null;
      response.writeHead(204).end();
    },
  };
  if (options.extras === true) {
    routes['/api/capabilities'] = (_, response) =>
      json(response, 200, { version: '9.9.9', server_time: new Date().toISOString(), events: true });
    routes['/api/events'] = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(':\n\n');
      streams.add(response);
    };
  }

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://test');
    const { weather } = backend;
    if (weather === 'cut') response.destroy();
    else if (weather === 'captive')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    else if (weather === 'broken') json(response, 503, { error: 'down' });
    else if (weather === 'unauthorized') json(response, 401, { error: 'Not logged in' });
    else if (routes[url.pathname] !== undefined) routes[url.pathname]?.(request, response, url);
    else if (url.pathname.startsWith('/api/db/')) table(request, response, url);
    else response.writeHead(404).end();
  };
  const server: Server = createServer((request, response) => {
    backend.asked.push(request.url ?? '');
    if (backend.delayMs === 0) answer(request, response);
    else setTimeout(() => answer(request, response), backend.delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  backend.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return backend;
}
