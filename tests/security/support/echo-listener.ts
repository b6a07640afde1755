/** For tests only: a service that answers with all that it was sent, and keeps it. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Heard {
  url: string;
  server: Server;
  all: string[];
}

/** Starts it; what is asked with `away` in its address is led to another place, where one is given. */
export async function listen(redirectTo?: string): Promise<Heard> {
  const all: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url, method, headers } = request;
      const body = Buffer.concat(chunks).toString();
      const echo = JSON.stringify({ id: `${url} ${body}`, url, method, headers, body, value: [headers] });
      all.push(echo);
      if (redirectTo !== undefined && url?.includes('away') === true)
        response.writeHead(302, { location: redirectTo });
      else
        response.writeHead(200, { 'content-type': 'application/json', 'x-echo': encodeURIComponent(echo) });
      response.end(echo);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, all };
}
