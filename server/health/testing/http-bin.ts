/** For tests only: the parts of httpbin and of the exchange-rate service that the specifications of the fixtures call. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const RATES: Readonly<Record<string, number>> = { EUR: 0.9, GBP: 0.8, ILS: 3.7, ZAR: 18.5 };

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Header names as httpbin writes them. */
function titledHeaders(request: IncomingMessage): Record<string, string> {
  const title = (name: string) => name.replaceAll(/(^|-)[a-z]/g, (part) => part.toUpperCase());
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [title(name), String(value)]),
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function basicAuth(request: IncomingMessage, response: ServerResponse, path: string): void {
  const [, , user = '', password = ''] = path.split('/');
  const wanted = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  if (request.headers.authorization === wanted) json(response, { authenticated: true, user });
  else response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://local');
  const [, place = ''] = url.pathname.split('/');
  switch (place) {
    case '':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<a href="/html">a book</a>');
      return;
    case 'status':
      response.writeHead(Number(url.pathname.split('/')[2])).end();
      return;
    case 'basic-auth':
      basicAuth(request, response, url.pathname);
      return;
    case 'headers':
    case 'get':
      json(response, { headers: titledHeaders(request), args: Object.fromEntries(url.searchParams) });
      return;
    case 'post':
      json(response, { data: await bodyOf(request), method: request.method });
      return;
    case 'uuid':
      json(response, { uuid: randomUUID() });
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Herman Melville - Moby-Dick</h1>');
      return;
    case 'redirect-to':
      response
        .writeHead(Number(url.searchParams.get('status_code') ?? 302), {
          location: url.searchParams.get('url') ?? '/',
        })
        .end();
      return;
    case 'latest': {
      const wanted = (url.searchParams.get('to') ?? '').split(',');
      const rates = Object.fromEntries(Object.entries(RATES).filter(([name]) => wanted.includes(name)));
      json(response, { amount: 1, base: 'USD', date: '2024-01-02', rates });
      return;
    }
    default:
      response.writeHead(404).end();
  }
}

export interface TestHttp {
  port: number;
  stop(): Promise<void>;
}

/** Starts it on a free port, with TLS when a certificate is given. */
export async function startHttpBin(tls: { cert: string; key: string } | null): Promise<TestHttp> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch(() => response.destroy());
  };
  const server: Server = tls === null ? createServer(answer) : createTlsServer(tls, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
