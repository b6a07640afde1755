/** What `tlsConfig` says is so for every kind that has it, over sockets of the test: enable, handshakeTimeout, authorities. */
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isRecord } from '../../../src/lib/is-record.ts';
import { runKind } from '../testing/run-kind.ts';
import { CHECK_KINDS } from './all-kinds.ts';

/** An entry of each kind, with TLS or without. */
const ENTRIES: Readonly<Record<string, (port: number, isSecure: boolean) => object>> = {
  http: (port, s) => ({ url: `http${s ? 's' : ''}://127.0.0.1:${port}` }),
  redis: (port, s) => ({ url: `redis${s ? 's' : ''}://127.0.0.1:${port}` }),
  mongodb: (port, s) => ({ url: `mongodb://127.0.0.1:${port}/?tls=${s}` }),
  elasticsearch: (port, s) => ({ url: `http${s ? 's' : ''}://127.0.0.1:${port}`, index: 'a' }),
  opensearch: (port, s) => ({ url: `http${s ? 's' : ''}://127.0.0.1:${port}`, index: 'a' }),
  prometheus: (port, s) => ({ url: `http${s ? 's' : ''}://127.0.0.1:${port}`, query: 'up' }),
  alertmanager: (port, s) => ({ url: `http${s ? 's' : ''}://127.0.0.1:${port}` }),
  helm: (port, s) => ({ url: `http${s ? 's' : ''}://127.0.0.1:${port}` }),
  websocket: (port, s) => ({ url: `ws${s ? 's' : ''}://127.0.0.1:${port}` }),
  smtp: (port, s) => ({ url: `smtp${s ? 's' : ''}://127.0.0.1:${port}` }),
  imap: (port, s) => ({ url: `imap${s ? 's' : ''}://127.0.0.1:${port}` }),
  ldap: (port, s) => ({ url: `ldap${s ? 's' : ''}://127.0.0.1:${port}` }),
  grpc: (port, s) => ({ endpoint: `127.0.0.1:${port}`, plaintext: !s }),
  certificate: (port) => ({ endpoint: `127.0.0.1:${port}` }),
};
/** TLS is theirs to switch on: their addresses may be written without saying. */
const SWITCHED = new Set(['redis', 'mongodb']);
const kinds = Object.keys(ENTRIES);

test('every kind that has the field is here', () => {
  const having = CHECK_KINDS.filter(({ schema }) => {
    const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return isRecord(properties) && 'tlsConfig' in properties;
  });
  expect(having.map(({ key }) => key).toSorted()).toEqual(kinds.toSorted());
});

describe('a server that takes connections and says nothing', () => {
  let silent: Server;
  let port: number;
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    port = (silent.address() as AddressInfo).port;
  });
  afterAll(() => {
    silent.close();
    for (const socket of sockets) socket.destroy();
  });

  test.concurrent.each(kinds)('%s: is waited for as long as handshakeTimeout says', async (kind) => {
    const timeout = kind === 'http' ? 50_000 : '50s';
    const entry = { ...ENTRIES[kind]?.(port, true), timeout };
    const found = await runKind(kind, { ...entry, tlsConfig: { handshakeTimeout: '300ms' } });
    expect(found).toMatchObject({ pass: false, invalid: false });
    expect(found.durationMs).toBeLessThan(20_000);
  });

  test.concurrent.each(kinds)('%s: enable says the same as the address, or is refused', async (kind) => {
    const run = (isSecure: boolean, enable: boolean) =>
      runKind(kind, {
        ...ENTRIES[kind]?.(port, isSecure),
        timeout: kind === 'http' ? 300 : '300ms',
        tlsConfig: { enable },
      });
    const refused = { invalid: true, error: expect.stringContaining('tlsConfig.enable') };
    expect(await run(true, false)).toMatchObject(refused);
    const asks = await run(false, true);
    // Asked for TLS, this server gives none; nothing is said to it in the clear.
    if (SWITCHED.has(kind) || kind === 'certificate')
      expect(asks).toMatchObject({ pass: false, invalid: false });
    else expect(asks).toMatchObject(refused);
    expect(await run(true, true)).toMatchObject({ pass: false, invalid: false });
  });
});

test.each([...kinds, 'postgres'])('%s: basic without anybody to sign in is refused', async (kind) => {
  const signsIn = CHECK_KINDS.find(({ key }) => key === kind)?.schema;
  const { properties } = z.toJSONSchema(signsIn ?? z.never(), { io: 'input', unrepresentable: 'any' });
  if (!isRecord(properties) || !('basic' in properties)) return;
  const scheme = kind === 'postgres' ? { url: 'postgres://127.0.0.1:1/a' } : ENTRIES[kind]?.(1, false);
  expect(await runKind(kind, { ...scheme, basic: true })).toMatchObject({
    invalid: true,
    error: expect.stringMatching(/^basic: needs/),
  });
});
