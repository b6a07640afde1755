/** For tests only: a service played on this machine, answering from a function; it keeps what it was asked. */
import { createServer as createPlain } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TestCertificate } from '../../../health/testing/test-certificate.ts';

export interface Asked {
  method: string;
  url: URL;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface Answered {
  status?: number;
  headers?: Record<string, string>;
  /** Text as it is; anything else as JSON. */
  body: unknown;
}

export interface LocalServer {
  url: string;
  asked: Asked[];
  server: Server;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Starts on a free port of 127.0.0.1, with TLS when a certificate is given. */
export async function startLocalServer(
  answer: (asked: Asked) => Answered,
  certificate: TestCertificate | null = null,
): Promise<LocalServer> {
  const asked: Asked[] = [];
  const scheme = certificate === null ? 'http' : 'https';
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', `${scheme}://${request.headers.host ?? ''}`);
    const question = {
      method: request.method ?? '',
      url,
      headers: request.headers,
      body: await bodyOf(request),
    };
    asked.push(question);
    const { status = 200, headers = {}, body } = answer(question);
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    reply(request, response).catch((error: unknown) => response.destroy(error as Error));
  };
  const server = certificate === null ? createPlain(handle) : createSecure(certificate, handle);
  // Those that were upgraded are in no list of the server's.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    asked,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
