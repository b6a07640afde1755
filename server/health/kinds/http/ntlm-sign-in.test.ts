/** NTLM over a server of the test, which knows the key that Microsoft's specification gives for its own example. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpAction } from '../../../playbooks/actions/http-action.ts';
import { performAlone } from '../../../playbooks/actions/testing/action-setting.ts';
import { runKind } from '../../testing/run-kind.ts';

/** MS-NLMP 4.2.4.1.1: user `User`, domain `Domain`, password `Password`. */
const KEY = Buffer.from('0c868a403bfd7a93a3001ef22ef02e3f', 'hex');
const CHALLENGE = Buffer.from('0123456789abcdef', 'hex');
const V2 = 0x0080_0000 | 0x0008_0000 | 0x1;
const V1 = 0x1;

let server: Server;
let url: string;
let flags = V2;
const heard: string[] = [];

/** Domain `Domain`, and what the client has to repeat. */
function challenge(): string {
  const name = Buffer.from('Domain', 'ucs2');
  const info = Buffer.concat([Buffer.from([2, 0, name.length, 0]), name, Buffer.alloc(4)]);
  const message = Buffer.alloc(48);
  message.write('NTLMSSP\0', 0, 'ascii');
  message.writeUInt32LE(2, 8);
  for (const [at, part, offset] of [
    [12, name, 48],
    [40, info, 48 + name.length],
  ] as const) {
    message.writeUInt16LE(part.length, at);
    message.writeUInt16LE(part.length, at + 2);
    message.writeUInt32LE(offset, at + 4);
  }
  message.writeUInt32LE(flags, 20);
  CHALLENGE.copy(message, 24);
  return `NTLM ${Buffer.concat([message, name, info]).toString('base64')}`;
}

function isRight(message: Buffer): boolean {
  const [length, offset] = [message.readUInt16LE(20), message.readUInt32LE(24)];
  const response = message.subarray(offset, offset + length);
  const proof = createHmac('md5', KEY).update(CHALLENGE).update(response.subarray(16)).digest();
  return proof.equals(response.subarray(0, 16));
}

beforeAll(async () => {
  const challenged = new WeakSet<Socket>();
  server = createServer(({ headers, socket }, response) => {
    const [, text = ''] = /^NTLM (.+)$/.exec(headers.authorization ?? '') ?? [];
    const message = Buffer.from(text, 'base64');
    heard.push(message.toString('latin1'));
    const type = message.length > 12 ? message.readUInt32LE(8) : 0;
    if (type === 3 && challenged.has(socket) && isRight(message)) response.end('welcome');
    else if (type === 1) {
      challenged.add(socket);
      response.writeHead(401, { 'www-authenticate': challenge() }).end('sign in');
    } else response.writeHead(401, { 'www-authenticate': ['Negotiate', 'NTLM'] }).end('sign in');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());
const run = (more: object) =>
  runKind('http', { url, ntlm: true, username: String.raw`Domain\User`, password: 'Password', ...more });

test('signs in by version 2, on one connection, without saying the password or this machine', async () => {
  expect(await run({ responseContent: 'welcome' })).toMatchObject({ pass: true });
  expect(await run({ username: 'User', ntlm: false, ntlmv2: true })).toMatchObject({ pass: true });
  expect(heard.join('').replaceAll('\0', '')).not.toContain('Password');
});
test('a wrong password has failed, and a missing one is said', async () => {
  expect(await run({ password: 'other' })).toMatchObject({ pass: false, error: 'status 401, expected 2xx' });
  expect(await run({ password: '' })).toMatchObject({
    invalid: true,
    error: expect.stringContaining('ntlm: username'),
  });
});
test('an action of a playbook signs in alike', async () => {
  const ask = (more: object) =>
    performAlone(httpAction, { url, ntlmv2: true, username: 'User', password: 'Password', ...more });
  expect(await ask({})).toMatchObject({ error: null, result: { Code: '200 OK', Body: 'welcome' } });
  expect(await ask({ password: 'other' })).toMatchObject({ error: expect.stringContaining('401') });
  await expect(ask({ password: '' })).rejects.toThrow('ntlm: username');
  expect(heard.join('').replaceAll('\0', '')).not.toContain('Password');
});
test('version 1 is not spoken', async () => {
  flags = V1;
  expect(await run({})).toMatchObject({ pass: false, error: expect.stringContaining('version 1') });
});
