import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/contract/errors.ts';
import { kindSetting } from '../../testing/kind-setting.ts';
import { runKind } from '../../testing/run-kind.ts';

type Changes = Parameters<typeof kindSetting>[0];
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-local-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** A killed process whose new parent hasn't noticed yet still has its number; its state is then Z. */
function isAlive(pid: number): boolean {
  const found = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  const state = found.stdout.trim();
  return state !== '' && !state.startsWith('Z');
}
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 50 && isAlive(pid); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return !isAlive(pid);
}

describe('exec', () => {
  const run = (spec: object, changes: Changes = {}) =>
    runKind('exec', spec, kindSetting({ dataDir, ...changes }));

  test('passes with what was written, without its last line break', async () => {
    expect(await run({ script: 'echo hello; echo oops >&2' })).toMatchObject({
      pass: true,
      message: 'hello',
      data: { results: { stdout: 'hello', stderr: 'oops', exitCode: 0 } },
    });
  });

  test('fails by its exit code, unless a test judges', async () => {
    expect(await run({ script: 'echo wrong >&2; exit 3' })).toMatchObject({
      pass: false,
      error: 'wrong',
      data: { results: { exitCode: 3 } },
    });
    expect(await run({ script: 'exit 3', test: { expr: 'results.exitCode == 3' } })).toMatchObject({
      pass: true,
    });
  });

  test('is killed whole after its time: nothing that it started lives on', async () => {
    const result = await run({ script: 'sleep 60 & echo $!; sleep 61', timeout: 1 });
    expect(result).toMatchObject({ pass: false, error: 'ran longer than 1000 ms and was stopped' });
    expect(result.durationMs).toBeLessThan(20_000);
  });

  test('what it left running in the background neither holds it up nor outlives it', async () => {
    const result = await run({ script: 'sleep 60 & echo $!' });
    expect(result).toMatchObject({ pass: true });
    expect(result.durationMs).toBeLessThan(20_000);
    expect(await isGone(Number(result.message))).toBe(true);
  });

  test('is stopped when it writes without end', async () => {
    expect(await run({ script: 'yes' })).toMatchObject({
      pass: false,
      error: expect.stringMatching(/^wrote more than \d+ bytes and was stopped$/),
    });
  });

  test('sees nothing of the server’s environment, only what its specification names', async () => {
    process.env['HOLDFAST_TEST_SECRET'] = 'leak';
    const result = await run({ script: 'env', env: [{ name: 'MINE', value: 'yes' }] });
    delete process.env['HOLDFAST_TEST_SECRET'];
    expect(result.message).toContain('MINE=yes');
    expect(result.message).not.toContain('leak');
  });

  test.each(['LD_PRELOAD', 'BASH_ENV', 'PATH', 'a b', 'X=Y'])('the variable %j is refused', async (name) => {
    expect(await run({ script: 'true', env: [{ name, value: 'x' }] })).toMatchObject({
      pass: false,
      invalid: true,
    });
  });

  test('does not run where the operator has not allowed it, and says how to', async () => {
    const marker = join(dataDir, 'ran');
    expect(await run({ script: `touch ${marker}` }, { isExecAllowed: false })).toMatchObject({
      pass: false,
      invalid: true,
      error: expect.stringContaining('ALLOW_EXEC=true'),
    });
    expect(await run({ script: `test ! -e ${marker}` })).toMatchObject({ pass: true });
  });

  test('ends with the server', async () => {
    const stopping = new AbortController();
    const running = run({ script: 'sleep 60' }, { signal: stopping.signal });
    setTimeout(() => stopping.abort(), 100);
    expect(await running).toMatchObject({ pass: false, error: 'was stopped with the server' });
  });

  test('is not run where its checkout, or a secret that it read, is for other places', async () => {
    const checkout = { url: 'http://127.0.0.1:1/acme/shop.git' };
    const byUser = await run({ script: 'true', checkout }, { trust: 'user' });
    expect(byUser.notRun).toContain('not allowed');
    const refuseScripts = () => {
      throw new AppError('forbidden', 'the secret is for other places');
    };
    expect((await run({ script: 'true' }, { refuseScripts })).notRun).toContain('other places');
  });

  test('checkouts are invalid, not silently left out', async () => {
    expect(await run({ script: 'true', checkout: { url: 'ftp://x' } })).toMatchObject({ invalid: true });
  });
});

describe('folder', () => {
  let folder: string;
  const HOUR_MS = 3_600_000;
  beforeAll(async () => {
    folder = join(dataDir, 'backups');
    await mkdir(join(folder, 'deep', 'er'), { recursive: true });
    const age = async (name: string, bytes: number, hours: number) => {
      await writeFile(join(folder, name), 'x'.repeat(bytes));
      const time = new Date(Date.now() - hours * HOUR_MS);
      await utimes(join(folder, name), time, time);
    };
    await age('old.zip', 100, 48);
    await age('new.zip', 2000, 1);
    await age('deep/er/hidden.txt', 10, 5);
    await symlink('/etc', join(folder, 'outside'));
  });
  const run = (spec: object, changes: Changes = {}) =>
    runKind('folder', { path: folder, ...spec }, kindSetting(changes));
  const zip = { filter: { regex: '.*\\.zip$' } };

  test.each<[string, object]>([
    ['enough files', { minCount: 2 }],
    ['a recent backup', { ...zip, minCount: 1, minSize: '50b', maxSize: '2K' }],
    ['ages', { ...zip, minAge: '30m', maxAge: '3d' }],
    ['files below', { recursive: true, filter: { regex: 'hidden' }, minCount: 1 }],
    ['space on the disk', { availableSize: '1K', totalSize: '1M' }],
    ['what is new since a moment', { filter: { since: 'now-2h', regex: 'zip' }, maxCount: 1, minCount: 1 }],
    [
      'sizes and ages in the filter',
      { filter: { minSize: '1K', maxAge: '2h', regex: 'zip' }, minCount: 1, maxCount: 1 },
    ],
  ])('passes for %s', async (_what, spec) => {
    expect(await run(spec)).toMatchObject({ pass: true, error: null });
  });

  test.each<[string, object, string]>([
    ['too few files', { minCount: 100 }, 'at least 100 wanted'],
    ['too many files', { maxCount: 1 }, 'at most 1 wanted'],
    ['an old file', { ...zip, maxAge: '1d' }, 'old.zip is older than 1d'],
    ['a new file', { ...zip, minAge: '2h' }, 'new.zip is newer than 2h'],
    ['a small file', { ...zip, minSize: '1K' }, 'old.zip is smaller than 1K'],
    ['a large file', { ...zip, maxSize: '1K' }, 'new.zip is larger than 1K'],
    ['a full disk', { availableSize: '9999T' }, 'at least 9999T wanted'],
  ])('fails for %s', async (_what, spec, error) => {
    expect(await run(spec)).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringContaining(error),
    });
  });

  test('globs find what they name, and links do not lead out of the folder', async () => {
    const found = await run({ path: `${folder}/**/*` });
    const names = (found.data['results'] as { files: { name: string }[] }).files.map(({ name }) => name);
    expect(names).toContain('deep/er/hidden.txt');
    expect(names.some((name) => name.includes('passwd'))).toBe(false);
    expect(await run({ path: `${folder}/*.zip`, minCount: 2, maxCount: 2 })).toMatchObject({ pass: true });
  });

  test('a folder that is not there is an empty listing, and its disk a failure', async () => {
    expect(await run({ path: '/some/folder/that/does/not/exist' })).toMatchObject({
      pass: true,
      data: { results: { files: [] } },
    });
    expect(await run({ path: '/some/folder/that/does/not/exist', minCount: 1 })).toMatchObject({
      pass: false,
    });
    expect(await run({ path: '/some/folder/that/does/not/exist', availableSize: '1K' })).toMatchObject({
      pass: false,
    });
  });

  test('a folder that is there and cannot be read is a failure', async () => {
    const round = join(dataDir, 'round');
    await symlink(round, round);
    expect(await run({ path: round, maxAge: '1d' })).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringContaining("can't be read"),
    });
  });

  test('a check written in the app sees no folder of the server unless commands are allowed', async () => {
    expect(await run({}, { trust: 'user', isExecAllowed: false })).toMatchObject({
      pass: false,
      invalid: true,
    });
    expect(await run({}, { trust: 'user', isExecAllowed: true })).toMatchObject({ pass: true });
  });

  test.each<[string, object]>([
    ['s3', { path: 's3://bucket/x' }],
    ['windows shares', { path: '\\\\server\\share' }],
    ['sftp, whose path looks local', { path: '/tmp', sftpConnection: { connection: 'connection://sftp/x' } }],
    ['a moment that is none', { filter: { since: 'soon' } }],
  ])('%s is invalid', async (_what, spec) => {
    expect(await run(spec)).toMatchObject({ pass: false, invalid: true });
  });
});
