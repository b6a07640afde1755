/** Folders over SFTP, by the usual client over its own server; restic by a program of the test that says what restic says. */
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindSetting } from '../../testing/kind-setting.ts';
import { SFTP_FOLDER, startTestSftp } from '../../testing/sftp-server.ts';
import type { TestSftp, TestSftpTree } from '../../testing/sftp-server.ts';
import { runKind } from '../../testing/run-kind.ts';
import { SAYS, triedConnection } from '../../testing/try-connection.ts';

const TREE: TestSftpTree = {
  '/backups': [
    ['a.gz', 0o100_644, 100],
    ['b.txt', 0o100_644, 5],
    ['old', SFTP_FOLDER, 0],
  ],
  '.': [],
  '/backups/old': [['c.gz', 0o100_600, 7]],
};

describe('folder over SFTP', () => {
  let server: TestSftp;
  beforeAll(async () => {
    server = await startTestSftp(TREE);
  });
  afterAll(() => server.stop());
  const run = (more: object = {}, sftpConnection: object = {}) =>
    runKind('folder', {
      path: '/backups',
      sftpConnection: {
        host: '127.0.0.1',
        port: server.port,
        username: 'monitor',
        password: 'right',
        ...sftpConnection,
      },
      ...more,
    });

  test('lists a folder, all below it, and what a pattern means', async () => {
    expect(await run({ maxAge: '2h', minCount: 3 })).toMatchObject({
      pass: true,
      data: { results: { count: 3, size: 105 } },
    });
    expect(await run({ recursive: true })).toMatchObject({ data: { results: { count: 4 } } });
    expect(await run({ path: '/backups/**/*.gz' })).toMatchObject({
      data: {
        results: {
          files: [
            { name: 'a.gz', mode: '0644' },
            { name: 'old/c.gz', mode: '0600' },
          ],
        },
      },
    });
  });
  test("takes only the server's key that was written down", async () => {
    const key = Buffer.from(server.hostKey.split(' ')[1] ?? '', 'base64');
    const hostKey = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
    expect(await run({}, { hostKey })).toMatchObject({ pass: true });
    expect(await run({}, { hostKey: `SHA256:${Buffer.alloc(32).toString('base64')}` })).toMatchObject({
      pass: false,
      error: expect.stringContaining('hostKey'),
    });
  });
  test('says what is wrong: sign-in, the folder, a field', async () => {
    expect(await run({}, { password: 'wrong' })).toMatchObject({ pass: false, invalid: false });
    expect(await run({ path: '/nowhere' })).toMatchObject({
      pass: false,
      error: expect.stringContaining('/nowhere'),
    });
    expect(await run({}, { username: '' })).toMatchObject({
      invalid: true,
      error: expect.stringContaining('sftpConnection.username'),
    });
  });
  test('a connection is tried by looking into the folder that its user begins in', async () => {
    const right = { url: '127.0.0.1', username: 'monitor', password: 'right' };
    const properties = { port: `${server.port}` };
    expect(await triedConnection('sftp', { ...right, properties })).toBeNull();
    expect(await triedConnection('sftp', { ...right, properties, password: 'no' })).toMatch(SAYS.signIn);
    const absent = { ...right, properties: { port: '1' } };
    expect(await triedConnection('sftp', absent)).toMatch(SAYS.absent);
    expect(await triedConnection('sftp', absent, [])).toMatch(SAYS.closed);
  });
  test('a share of Windows is not listed, and says what to do instead', async () => {
    expect(await runKind('folder', { path: String.raw`\\server\share`, smbConnection: {} })).toMatchObject({
      notRun: expect.stringContaining('mount the share'),
    });
  });
});

describe('restic', () => {
  let folder: string;
  const program = async (text: string) => {
    await writeFile(join(folder, 'restic'), `#!/bin/sh\n${text}\n`);
    await chmod(join(folder, 'restic'), 0o755);
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-restic-'));
    await mkdir(join(folder, 'repo'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const run = (more: object = {}) =>
    runKind(
      'restic',
      { repository: join(folder, 'repo'), password: 'pass-9', maxAge: '1h', ...more },
      kindSetting({ programs: folder }),
    );
  const snapshots = (ago: number) =>
    JSON.stringify([
      { time: new Date(Date.now() - ago).toISOString(), hostname: 'h', paths: ['/data'], short_id: 'ab12' },
    ]);

  test('passes with a new snapshot and fails with an old one, naming the field', async () => {
    await program(`[ "$RESTIC_PASSWORD" = pass-9 ] && echo '${snapshots(60_000)}'`);
    expect(await run()).toMatchObject({ pass: true, data: { results: { newest: { short_id: 'ab12' } } } });
    await program(`echo '${snapshots(7_200_000)}'`);
    expect(await run()).toMatchObject({ pass: false, error: expect.stringContaining('(maxAge)') });
    await program('echo "[]"');
    expect(await run()).toMatchObject({ pass: false, error: 'the repository has no snapshot' });
  });
  test('looks at the whole repository where that is asked', async () => {
    await program(
      `case "$1" in snapshots) echo '${snapshots(60_000)}';; check) echo "Fatal: pack ab is damaged" >&2; exit 1;; esac`,
    );
    expect(await run()).toMatchObject({ pass: true });
    expect(await run({ checkIntegrity: true })).toMatchObject({
      pass: false,
      error: 'restic: Fatal: pack ab is damaged',
    });
  });
  test('is not run without the program, from a user without ALLOW_EXEC, and at places that start programs', async () => {
    await rm(join(folder, 'restic'), { force: true });
    expect(await run()).toMatchObject({ notRun: 'restic is not installed on this server' });
    expect(await run({ repository: 'rclone:x:y' })).toMatchObject({
      notRun: expect.stringContaining('repository:'),
    });
    const context = kindSetting({ trust: 'user', isExecAllowed: false });
    expect(await runKind('restic', { repository: '/r' }, context)).toMatchObject({
      notRun: expect.stringContaining('ALLOW_EXEC'),
    });
  });
});
