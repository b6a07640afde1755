import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createEgressGuard } from './egress-guard.ts';
import type { EgressTrust } from './egress-guard.ts';
import { requestThroughGuard } from './egress-http.ts';
import type { EgressRequest } from './egress-http.ts';

const servers: Server[] = [];
async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

const asked: string[] = [];
const guard = createEgressGuard({
  allow: [],
  deny: [],
  resolve: async (host) => {
    asked.push(host);
    return [
      {
        address: asked.filter((name) => name === host).length === 1 ? '127.0.0.1' : '169.254.169.254',
        family: 4,
      },
    ];
  },
  ownNetworks: () => [],
  ownDatabase: null,
});
const get = (url: string, changes: Partial<EgressRequest> = {}, trust: EgressTrust = 'operator') =>
  requestThroughGuard(guard, trust, {
    signal: new AbortController().signal,
    request: {
      method: 'GET',
      url: new URL(url),
      headers: {},
      body: null,
      timeoutMs: 2000,
      maxRedirects: 5,
      maxBodyBytes: 1000,
      tls: {},
      ...changes,
    },
  });

test.each([
  'http://169.254.169.254/',
  'http://[fe80::1]/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:70/x',
  'http://metadata.google.internal/',
])('a redirect to %s is refused', async (location) => {
  const origin = await serve((_request, response) => response.writeHead(302, { location }).end());
  await expect(get(origin)).rejects.toMatchObject({ code: /forbidden|invalid/ });
});

test('the connection goes to the address that was judged, with no second look at the name', async () => {
  const origin = await serve((request, response) => response.end(request.headers.host));
  const { port } = new URL(origin);
  const answer = await get(`http://rebinding.example:${port}/`);
  expect(answer.body.toString()).toBe(`rebinding.example:${port}`);
  expect(asked.filter((name) => name === 'rebinding.example')).toHaveLength(1);
});

test('credentials are not carried to another origin', async () => {
  const other = await serve((request, response) => response.end(String(request.headers.authorization)));
  const origin = await serve((_request, response) => response.writeHead(302, { location: other }).end());
  const answer = await get(origin, { headers: { authorization: 'Basic x' } });
  expect(answer.body.toString()).toBe('undefined');
});

test('a redirect loop ends', async () => {
  const origin = await serve((_request, response) => response.writeHead(302, { location: '/' }).end());
  await expect(get(origin)).rejects.toThrow('More than 5 redirects');
});

test('a never-ending body is cut at the limit', async () => {
  const origin = await serve((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(500)));
    };
    response.on('drain', more);
    more();
  });
  const answer = await get(origin);
  expect(answer.body.length).toBe(1000);
  expect(answer.isBodyCut).toBe(true);
});

test('a server that never answers is given up after the time limit', async () => {
  const origin = await serve(() => undefined);
  await expect(get(origin, { timeoutMs: 150 })).rejects.toMatchObject({ code: 'timeout' });
});

test('a header value with a line break is refused before anything is sent', async () => {
  let requests = 0;
  const origin = await serve((_request, response) => {
    requests += 1;
    response.end();
  });
  await expect(get(origin, { headers: { 'x-a': 'b\r\nx-c: d' } })).rejects.toMatchObject({
    name: 'AppError',
  });
  expect(requests).toBe(0);
});

test('the loopback of somebody else than the operator is refused', async () => {
  const origin = await serve((_request, response) => response.end('secret'));
  await expect(get(origin, {}, 'user')).rejects.toMatchObject({ code: 'forbidden' });
});
