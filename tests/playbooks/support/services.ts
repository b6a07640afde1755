/** For tests only: a service that notes what it is asked, and holds what it is told to hold. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface TestService {
  url: string;
  asked: Asked[];
  /** Requests to /held whose caller has gone. */
  gone: string[];
  /** Called when it was asked, before it answers. */
  onAsked: () => void;
  stop(): Promise<void>;
}

/** Answers 200 with what it was sent; `/held` never; `/status/503` that status. */
export async function startService(): Promise<TestService> {
  const asked: Asked[] = [];
  const gone: string[] = [];
  const service: TestService = {
    url: '',
    asked,
    gone,
    onAsked: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      asked.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      service.onAsked();
      if (url.startsWith('/held')) {
        response.on('close', () => gone.push(url));
        return;
      }
      const status = Number(/^\/status\/(\d+)/.exec(url)?.[1] ?? 200);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ echo: headers['authorization'] ?? null }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  service.url = `http://127.0.0.1:${port}`;
  return service;
}
