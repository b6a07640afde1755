import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDns } from '../../testing/dns-server.ts';
import type { TestDns } from '../../testing/dns-server.ts';
import { kindSetting } from '../../testing/kind-setting.ts';
import { runKind } from '../../testing/run-kind.ts';
import { parsePing } from './icmp-check.ts';

type Changes = Parameters<typeof kindSetting>[0];
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const never = () => new Promise<never>(() => undefined);

describe('tcp', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer((socket) => socket.on('error', () => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());
  const run = (spec: object, changes: Changes = {}) => runKind('tcp', spec, kindSetting(changes));

  test('passes where somebody listens, by address and by name', async () => {
    expect(await run({ endpoint: `127.0.0.1:${port}` })).toMatchObject({ pass: true, error: null });
    expect(await run({ endpoint: `localhost:${port}`, thresholdMillis: 2000 })).toMatchObject({ pass: true });
  });

  test('leaves no connection in memory', async () => {
    const signal = new AbortController().signal;
    const made: WeakRef<object>[] = [];
    // Node says `{ socket }` of each.
    const hear = (message: unknown) => void made.push(new WeakRef((message as { socket: object }).socket));
    subscribe('net.client.socket', hear);
    for (let at = 0; at < 40; at += 1) await run({ endpoint: `127.0.0.1:${port}` }, { signal });
    unsubscribe('net.client.socket', hear);
    expect(made.length).toBeGreaterThanOrEqual(40);
    const inMemory = () => {
      collectGarbage();
      return made.filter((one) => one.deref() !== undefined).length;
    };
    await expect.poll(inMemory).toBeLessThan(20);
  });

  test('fails where nobody listens', async () => {
    expect(await run({ endpoint: '127.0.0.1:1' })).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('gives up at the threshold when nothing comes back', async () => {
    const result = await run({ endpoint: 'slow.example:80', thresholdMillis: 150 }, { resolve: never });
    expect(result).toMatchObject({ pass: false, error: 'no connection within 150 ms' });
    expect(result.durationMs).toBeLessThan(15_000);
  });

  test('fails for a name that does not exist', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await run({ endpoint: 'none.example:80' }, { resolve })).toMatchObject({
      pass: false,
      invalid: false,
      error: 'The name none.example could not be resolved',
    });
  });

  test.each([
    '169.254.169.254:80',
    '0.0.0.0:80',
    '255.255.255.255:80',
    '0xa9fea9fe:80',
    '127.0.0.1:0',
    '127.0.0.1:99999',
  ])('%s is invalid', async (endpoint) => {
    expect(await run({ endpoint })).toMatchObject({ pass: false, invalid: true });
  });
});

describe('dns', () => {
  const servers: TestDns[] = [];
  let good: TestDns;
  let silent: TestDns;
  let garbage: TestDns;
  beforeAll(async () => {
    good = await startTestDns([
      { name: 'www.example.com.', type: 'A', value: '192.0.2.1' },
      { name: 'www.example.com.', type: 'A', value: '192.0.2.2' },
      { name: 'www.example.com.', type: 'AAAA', value: '2001:db8::1' },
      { name: 'alias.example.com.', type: 'CNAME', value: 'www.example.com.' },
      { name: 'example.com.', type: 'MX', value: '10 mail.example.com.' },
      { name: 'example.com.', type: 'TXT', value: '"v=spf1 -all"' },
      { name: 'example.com.', type: 'NS', value: 'ns1.example.com.' },
      { name: '_ldap._tcp.example.com.', type: 'SRV', value: '5 7 389 ldap.example.com.' },
      { name: '1.2.0.192.in-addr.arpa.', type: 'PTR', value: 'www.example.com.' },
    ]);
    silent = await startTestDns([], 'silent');
    garbage = await startTestDns([], 'garbage');
    servers.push(good, silent, garbage);
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));
  const run = (spec: object, changes: Changes = {}) =>
    runKind('dns', { server: '127.0.0.1', port: good.port, ...spec }, kindSetting(changes));

  test.each<[string, string, string[]]>([
    ['A', 'www.example.com', ['192.0.2.2', '192.0.2.1']],
    ['AAAA', 'www.example.com', ['2001:db8::1']],
    ['CNAME', 'alias.example.com', ['www.example.com.']],
    ['CNAME', 'www.example.com', ['www.example.com.']],
    ['MX', 'example.com', ['mail.example.com. 10']],
    ['TXT', 'example.com', ['v=spf1 -all']],
    ['NS', 'example.com', ['ns1.example.com.']],
    ['SRV', '_ldap._tcp.example.com', ['ldap.example.com. 389 5 7']],
    ['PTR', '192.0.2.1', ['www.example.com.']],
    ['PTR', '1.2.0.192.in-addr.arpa', ['www.example.com.']],
  ])('%s of %s passes with exactly what is there, in any order', async (querytype, query, exactreply) => {
    expect(await run({ query, querytype, exactreply, minrecords: 1 })).toMatchObject({
      pass: true,
      error: null,
    });
  });

  test('fails for another answer, too few records, and a name that does not exist', async () => {
    expect(await run({ query: 'www.example.com', exactreply: ['192.0.2.1'] })).toMatchObject({
      pass: false,
      error: 'got 192.0.2.1, 192.0.2.2, wanted 192.0.2.1',
    });
    expect(await run({ query: 'www.example.com', minrecords: 3 })).toMatchObject({
      pass: false,
      error: '2 records, at least 3 wanted',
    });
    expect(await run({ query: 'none.example.com' })).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringContaining('ENOTFOUND'),
    });
    expect(await run({ query: 'www.example.com', querytype: 'MX' })).toMatchObject({
      pass: false,
      error: expect.stringContaining('ENODATA'),
    });
  });

  test('srvReply is compared by what it names, and is for SRV only', async () => {
    const srv = { query: '_ldap._tcp.example.com', querytype: 'SRV' };
    const reply = { target: 'ldap.example.com', port: 389 };
    expect(await run({ ...srv, srvReply: reply })).toMatchObject({ pass: true });
    expect(await run({ ...srv, srvReply: { ...reply, weight: 8 } })).toMatchObject({
      pass: false,
      error: 'got ldap.example.com. 389 5 7, wanted ldap.example.com. 389 * 8',
    });
    await expect(run({ query: 'www.example.com', srvReply: reply })).rejects.toThrow('needs querytype SRV');
  });

  test.each(['silent', 'garbage'] as const)(
    'gives up on a server that is %s within the time limit',
    async (manner) => {
      const { port } = manner === 'silent' ? silent : garbage;
      const result = await run({ query: 'www.example.com', port, timeout: 1 });
      expect(result).toMatchObject({ pass: false, invalid: false });
      expect(result.durationMs).toBeLessThan(15_000);
    },
  );

  test('without a server the system answers', async () => {
    expect(await run({ server: '', query: 'localhost' })).toMatchObject({ pass: true });
  });

  test('a server that may not be called is invalid', async () => {
    expect(await run({ server: '169.254.169.254', query: 'a.example' })).toMatchObject({
      pass: false,
      invalid: true,
    });
    expect(await run({ query: 'www.example.com' }, { trust: 'user' })).toMatchObject({
      pass: false,
      invalid: true,
    });
  });
});

describe('icmp', () => {
  const run = (spec: object, changes: Changes = {}) =>
    runKind('icmp', { packetCount: 2, ...spec }, kindSetting(changes));

  test('passes for this machine, and a threshold of 0 is off', async () => {
    expect(await run({ endpoint: '127.0.0.1', thresholdMillis: 0, packetLossThreshold: 0 })).toMatchObject({
      pass: true,
      error: null,
      data: { results: { packetLoss: 0, received: 2 } },
    });
  });

  test.each(['255.255.255.255', '224.0.0.1', '0.0.0.0', '-f', '--help', '$(id)', '127.0.0.1; id'])(
    '%j is not pinged',
    async (endpoint) => {
      expect(await run({ endpoint })).toMatchObject({ pass: false, invalid: true });
    },
  );

  test('a system without ping says what to install', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = '/nonexistent';
    try {
      expect(await run({ endpoint: '127.0.0.1' })).toMatchObject({
        invalid: true,
        error: expect.stringContaining('iputils-ping'),
      });
    } finally {
      process.env['PATH'] = path;
    }
  });

  test('the summary of ping is read in its several forms, and garbage is none', () => {
    const lost =
      '5 packets transmitted, 3 received, 40% packet loss, time 4005ms\nrtt min/avg/max/mdev = 0.1/2.5/9.9/1.0 ms';
    expect(parsePing(lost)).toEqual({ sent: 5, received: 3, lossPercent: 40, averageMs: 2.5 });
    const busybox =
      '2 packets transmitted, 2 packets received, 0% packet loss\nround-trip min/avg/max = 0.1/0.2/0.3 ms';
    expect(parsePing(busybox)).toMatchObject({ received: 2, averageMs: 0.2 });
    expect(parsePing('2 packets transmitted, 0 received, 100% packet loss')).toMatchObject({
      lossPercent: 100,
      averageMs: null,
    });
    expect(parsePing('ping: socket: Operation not permitted')).toBeNull();
  });
});
