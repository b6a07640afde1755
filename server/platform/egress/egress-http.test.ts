import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createEgressGuard } from './egress-guard.ts';
import type { EgressGuard, EgressGuardOptions, EgressTrust } from './egress-guard.ts';
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
const optionsOf = (allow: string[]): EgressGuardOptions => ({
  allow,
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
const guard = createEgressGuard(optionsOf([]));
/** Of an operator who lets anybody call this machine. */
const openGuard = createEgressGuard(optionsOf(['loopback']));
const get = (
  url: string,
  changes: Partial<EgressRequest> = {},
  trust: EgressTrust = 'operator',
  by: EgressGuard = guard,
) =>
  requestThroughGuard(by, trust, {
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

test('nothing that may be a key is carried to another origin: no header but the plain ones, no body', async () => {
  const heard: string[] = [];
  const other = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
    heard.push(JSON.stringify(request.headers));
    response.end();
  });
  const origin = await serve((request, response) =>
    response.writeHead(Number(request.url?.slice(1)), { location: other }).end(),
  );
  const headers = {
    'user-agent': 'test',
    authorization: 'Basic canary',
    'x-api-key': 'canary',
    cookie: 'canary',
  };
  await get(`${origin}/302`, { headers }, 'operator', openGuard);
  await get(`${origin}/303`, { headers, method: 'POST', body: 'canary' }, 'operator', openGuard);
  await expect(
    get(`${origin}/307`, { headers, method: 'POST', body: 'canary' }, 'operator', openGuard),
  ).rejects.toThrow('is not sent the body');
  expect(heard).toHaveLength(2);
  expect(heard.join('')).toContain('"user-agent":"test"');
  expect(heard.join('')).not.toContain('canary');
});

test('where a redirect leaves the host that the operator named, a stranger is judged', async () => {
  const other = await serve((_request, response) => response.end('inside'));
  const same = await serve((request, response) =>
    request.url === '/' ? response.writeHead(302, { location: '/here' }).end() : response.end('here'),
  );
  expect((await get(same)).body.toString()).toBe('here');
  const origin = await serve((_request, response) => response.writeHead(302, { location: other }).end());
  await expect(get(origin)).rejects.toMatchObject({ code: 'forbidden' });
  expect((await get(origin, {}, 'operator', openGuard)).body.toString()).toBe('inside');
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

test('a body of exactly the limit is whole when it ends there, and no answer when it does not', async () => {
  const origin = await serve((request, response) => {
    response.write('x'.repeat(1000));
    if (request.url === '/ends') response.end();
  });
  const whole = await get(`${origin}/ends`);
  expect([whole.body.length, whole.isBodyCut]).toEqual([1000, false]);
  await expect(get(`${origin}/goes-on`, { timeoutMs: 500 })).rejects.toMatchObject({ code: 'timeout' });
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
