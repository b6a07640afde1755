/** certificate, ssh, smtp, imap, ldap: real clients over servers of the test, and protocols of lines. */
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SILENT_BASE, startTestLdap } from '../../testing/ldap-server.ts';
import type { TestLdap } from '../../testing/ldap-server.ts';
import { runKind } from '../../testing/run-kind.ts';
import { SAYS, triedConnection } from '../../testing/try-connection.ts';
import { makeTestCertificate } from '../../testing/test-certificate.ts';
import type { TestCertificate } from '../../testing/test-certificate.ts';

const DAYS = 20;
let certificate: TestCertificate;
const servers: Server[] = [];
const sockets = new Set<Socket>();

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A server of lines: what it greets with, and what it answers to each line. */
function ofLines(greeting: string, answer: (line: string) => string, tls: TestCertificate | null = null) {
  const talk = (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: Buffer) => {
      for (const line of part.toString().split('\r\n').filter(Boolean)) socket.write(answer(line));
    });
    socket.write(greeting);
  };
  return listen(tls === null ? createServer(talk) : createTlsServer(tls, talk));
}

beforeAll(async () => {
  certificate = await makeTestCertificate(DAYS);
});
afterAll(() => {
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
});

describe('certificate', () => {
  test.each([
    [DAYS - 2, true],
    [DAYS + 2, false],
  ])('with %i days wanted of twenty passes: %s', async (minDays, pass) => {
    const port = await ofLines('', () => '', certificate);
    const spec = { endpoint: `127.0.0.1:${port}`, minDays, tlsConfig: { ca: certificate.ca } };
    const found = await runKind('certificate', spec);
    expect(found).toMatchObject({ pass, invalid: false });
    const { daysLeft } = found.data['results'] as { daysLeft: number };
    expect(Math.abs(daysLeft - DAYS)).toBeLessThanOrEqual(1);
  });
  test('that nobody vouches for has failed, unless that is not asked', async () => {
    const endpoint = `127.0.0.1:${await ofLines('', () => '', certificate)}`;
    expect(await runKind('certificate', { endpoint })).toMatchObject({ pass: false, invalid: false });
    const tlsConfig = { insecureSkipVerify: true };
    expect(await runKind('certificate', { endpoint, tlsConfig })).toMatchObject({ pass: true });
  });
  test('of a service without TLS has failed', async () => {
    const endpoint = `127.0.0.1:${await ofLines('SSH-2.0-x\r\n', () => '')}`;
    expect(await runKind('certificate', { endpoint })).toMatchObject({ pass: false, invalid: false });
  });
});

describe('ssh', () => {
  const at = async (greeting: string) => `127.0.0.1:${await ofLines(greeting, () => '')}`;
  test('passes with the version that it greets with', async () => {
    const endpoint = await at('welcome\r\nSSH-2.0-OpenSSH_9.6\r\n');
    expect(await runKind('ssh', { endpoint })).toMatchObject({
      pass: true,
      data: { results: { protocol: '2.0', software: 'OpenSSH_9.6' } },
    });
  });
  test.each(['SSH-1.5-old\r\n', 'x\n'.repeat(100), 'y'.repeat(70_000)])(
    'fails with %.12s',
    async (greeting) => {
      expect(await runKind('ssh', { endpoint: await at(greeting) })).toMatchObject({
        pass: false,
        invalid: false,
      });
    },
  );
});

describe('smtp', () => {
  const start = async (options: object) => {
    const server = new SMTPServer({
      logger: false,
      onAuth: ({ password }, _session, done) =>
        password === 'right' ? done(null, { user: 'u' }) : done(new Error('Wrong password')),
      ...options,
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve());
    });
    servers.push(server.server);
    return `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  };
  test('goes over to TLS, looks at the certificate and signs in', async () => {
    const url = `smtp://${await start({ key: certificate.key, cert: certificate.cert })}`;
    const tlsConfig = { ca: certificate.ca };
    const spec = { url, startTLS: true, tlsConfig, username: 'u', password: 'right' };
    expect(await runKind('smtp', spec)).toMatchObject({
      pass: true,
      data: { results: { isSignedIn: true } },
    });
    expect(await runKind('smtp', { ...spec, password: 'wrong' })).toMatchObject({
      pass: false,
      invalid: false,
    });
    expect(await runKind('smtp', { url, startTLS: true })).toMatchObject({ pass: false, invalid: false });
  });
  test('speaks without TLS where that is said', async () => {
    const url = `smtp://${await start({ disabledCommands: ['STARTTLS'] })}`;
    expect(await runKind('smtp', { url, startTLS: false })).toMatchObject({ pass: true });
    expect(await runKind('smtp', { url, startTLS: true })).toMatchObject({ pass: false, invalid: false });
  });
});

describe('imap', () => {
  const answer = (line: string) => {
    const [tag = '', word = '', ...rest] = line.split(' ');
    if (word === 'CAPABILITY') return `* CAPABILITY IMAP4rev1 IDLE\r\n${tag} OK done\r\n`;
    if (word !== 'LOGIN') return `${tag} OK done\r\n`;
    return rest.join(' ') === String.raw`"a\"b" "pass word"`
      ? `${tag} OK in\r\n`
      : `${tag} NO [AUTHENTICATIONFAILED] no\r\n`;
  };
  test('greets and lets somebody in, whatever stands in his name', async () => {
    const url = `imaps://127.0.0.1:${await ofLines('* OK ready\r\n', answer, certificate)}`;
    const spec = { url, tlsConfig: { ca: certificate.ca }, username: 'a"b', password: 'pass word' };
    expect(await runKind('imap', spec)).toMatchObject({
      pass: true,
      data: { results: { capabilities: ['IMAP4rev1', 'IDLE'], isSignedIn: true } },
    });
    expect(await runKind('imap', { ...spec, password: 'x' })).toMatchObject({
      pass: false,
      error: expect.stringContaining('AUTHENTICATIONFAILED'),
    });
    expect(await runKind('imap', { ...spec, password: 'x\r\na9 DELETE INBOX' })).toMatchObject({
      invalid: true,
    });
  });
  test('that sends one away has failed', async () => {
    const url = `imap://127.0.0.1:${await ofLines('* BYE full\r\n', answer)}`;
    expect(await runKind('imap', { url })).toMatchObject({ pass: false, error: 'it greets with * BYE full' });
  });
});

describe('ldap', () => {
  let ldap: TestLdap;
  const base = 'ou=users,dc=example,dc=com';
  beforeAll(async () => {
    ldap = await startTestLdap(
      { dn: 'uid=admin', password: 'secret' },
      { [base]: [`uid=a,${base}`, `uid=b,${base}`], 'ou=gone': null },
    );
  });
  let secure: TestLdap;
  beforeAll(async () => {
    secure = await startTestLdap(
      { dn: 'uid=admin', password: 'secret' },
      { [base]: [`uid=a,${base}`] },
      certificate,
    );
  });
  afterAll(() => {
    ldap.stop();
    secure.stop();
  });
  const spec = () => ({
    url: `ldap://127.0.0.1:${ldap.port}`,
    username: 'uid=admin',
    password: 'secret',
    userSearch: '(&(objectClass=organizationalPerson))',
  });

  test('signs in and finds', async () => {
    expect(await runKind('ldap', { ...spec(), bindDN: base })).toMatchObject({
      pass: true,
      data: { results: { count: 2 } },
    });
  });
  test('a connection is tried by signing in', async () => {
    const { url, username, password } = spec();
    expect(await triedConnection('ldap', { url, username, password })).toBeNull();
    expect(await triedConnection('ldap', { url, username, password: 'x' })).toMatch(SAYS.signIn);
    const absent = { url: 'ldap://127.0.0.1:1', username, password };
    expect(await triedConnection('ldap', absent)).toMatch(SAYS.absent);
    expect(await triedConnection('ldap', absent, [])).toMatch(SAYS.closed);
  });
  test('fails with a wrong password, and where nothing is found', async () => {
    const wrong = await runKind('ldap', { ...spec(), bindDN: base, password: 'x' });
    expect(wrong).toMatchObject({ pass: false, invalid: false });
    expect(await runKind('ldap', { ...spec(), bindDN: 'ou=none' })).toMatchObject({
      pass: false,
      error: expect.stringContaining('ou=none'),
    });
    await expect(runKind('ldap', spec())).rejects.toThrow('is required beside userSearch');
  });
  test('over TLS looks at the certificate, unless that is not asked', async () => {
    const wanted = { ...spec(), url: `ldaps://127.0.0.1:${secure.port}`, bindDN: base };
    const tlsConfig = { ca: certificate.ca };
    expect(await runKind('ldap', { ...wanted, tlsConfig })).toMatchObject({
      pass: true,
      data: { results: { entries: [`uid=a,${base}`] } },
    });
    expect(await runKind('ldap', { ...wanted, skipTLSVerify: true })).toMatchObject({ pass: true });
    expect(await runKind('ldap', wanted)).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringMatching(/certificate/),
    });
    expect(await runKind('ldap', { ...wanted, tlsConfig, password: 'x' })).toMatchObject({
      pass: false,
      invalid: false,
    });
    // One speaks TLS and the other does not.
    for (const url of [`ldaps://127.0.0.1:${ldap.port}`, `ldap://127.0.0.1:${secure.port}`])
      expect(await runKind('ldap', { ...wanted, url, tlsConfig, timeout: '2s' })).toMatchObject({
        pass: false,
        invalid: false,
      });
  });
  test('fails where a search begins at nothing, where nothing comes in time, and where nobody listens', async () => {
    expect(await runKind('ldap', { ...spec(), bindDN: 'ou=gone' })).toMatchObject({
      pass: false,
      invalid: false,
    });
    const late = await runKind('ldap', { ...spec(), bindDN: SILENT_BASE, timeout: '300ms' });
    expect(late).toMatchObject({ pass: false, invalid: false, failure: 'absent' });
    expect(await runKind('ldap', { ...spec(), url: 'ldap://127.0.0.1:1', bindDN: base })).toMatchObject({
      pass: false,
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });
});
