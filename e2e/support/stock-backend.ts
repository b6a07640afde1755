/**
 * A backend as the contract has it, without what ours adds: a real server behind a loopback proxy that knows nothing
 * of capabilities, commands and the stream, and has its paths where the stock server has them (contract §1.2). It can
 * refuse chosen writes, as a stock server's own access control does.
 */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../../tests/security/support/free-port.ts';

interface Refusal {
  /** Matched against `METHOD path`. */
  what: RegExp;
  status: number;
  message: string;
  /** In place of the message as JSON. */
  body?: object;
}

export interface StockBackend {
  /** For BACKEND_URL. */
  url: string;
  refusal: Refusal | null;
  /** Calls for what only ours has: all of them were answered 404. */
  unknown: string[];
  stop(): Promise<void>;
}

const OURS_ONLY = /^\/(capabilities|events|sync)\b/;

function pathThere(path: string): string {
  return path.startsWith('/kratos') ? path.replace('/kratos', '/api/.ory') : `/api${path}`;
}

function tell(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function forward(incoming: IncomingMessage, response: ServerResponse, server: URL): Promise<void> {
  const call = request({
    host: server.hostname,
    port: server.port,
    path: pathThere(incoming.url ?? '/'),
    method: incoming.method,
    // The stock server leaves the guard against foreign sites to what stands in front of it.
    headers: { ...incoming.headers, host: server.host, origin: server.origin, referer: `${server.origin}/` },
    agent: false,
  });
  incoming.pipe(call);
  response.on('close', () => call.destroy());
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(response);
}

/** Starts one in front of a server of ours. */
export async function startStockBackend(serverUrl: string): Promise<StockBackend> {
  const port = await freePort();
  const backend: StockBackend = {
    url: `http://127.0.0.1:${port}`,
    refusal: null,
    unknown: [],
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    const { refusal } = backend;
    if (OURS_ONLY.test(path)) {
      backend.unknown.push(path);
      return tell(response, 404, { error: 'Not Found' });
    }
    if (refusal?.what.test(`${incoming.method} ${path}`) === true)
      return tell(response, refusal.status, refusal.body ?? { error: refusal.message });
    forward(incoming, response, new URL(serverUrl)).catch(() => incoming.socket.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return backend;
}
