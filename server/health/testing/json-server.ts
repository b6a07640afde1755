/** For tests only: an HTTP server that answers as it is told and notes what it was asked. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface JsonAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** A text or bytes are sent as they are, anything else as JSON. */
  body?: unknown;
}

export interface JsonServer {
  url: string;
  port: number;
  asked: Asked[];
  /** For what is no request, such as WebSockets. */
  server: Server;
  stop: () => void;
}

/** Starts it on a free port; what `answer` knows nothing of is 404. */
export async function startJsonServer(
  answer: (asked: Asked) => JsonAnswer | null,
  tls: { cert: string; key: string } | null = null,
): Promise<JsonServer> {
  const asked: Asked[] = [];
  const handle: Parameters<typeof createServer>[1] = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        method: request.method ?? 'GET',
        url: new URL(request.url ?? '/', 'http://local'),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      asked.push(one);
      const { status = 200, headers = {}, body = '' } = answer(one) ?? { status: 404 };
      const isPlain = typeof body === 'string' || Buffer.isBuffer(body);
      const type: Record<string, string> = isPlain ? {} : { 'content-type': 'application/json' };
      response.writeHead(status, { ...type, ...headers }).end(isPlain ? body : JSON.stringify(body));
    });
  };
  const server: Server = tls === null ? createServer(handle) : createTlsServer(tls, handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    asked,
    server,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
