import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import { lockFolder } from './folder-lock.ts';

const LOCK_MODULE = new URL('./folder-lock.ts', import.meta.url).href;

/** A real process that takes the lock and then does nothing. */
async function startHolder(folder: string, platform: NodeJS.Platform): Promise<ChildProcess> {
  const program = `
    import { lockFolder } from ${JSON.stringify(LOCK_MODULE)};
    await lockFolder(${JSON.stringify(folder)}, { platform: ${JSON.stringify(platform)} });
    process.stdout.write('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout } = child;
  if (stdout === null) throw new Error('no output');
  await once(stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

// 'darwin' is the way of the systems whose sockets are files.
describe.each<NodeJS.Platform>(['linux', 'darwin'])('the folder lock, as on %s', (platform) => {
  let folder: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-lock-'));
  });
  afterEach(async () => {
    await Promise.all(
      children
        .splice(0)
        .filter((child) => child.exitCode === null && child.signalCode === null)
        .map(kill),
    );
    // Taking and releasing it removes the socket file that a killed holder left.
    await (await lockFolder(folder, { platform })).release();
    await rm(folder, { recursive: true, force: true });
  });

  const holder = async () => {
    const child = await startHolder(folder, platform);
    children.push(child);
    return child;
  };

  test('a second process is refused with an error that names DATA_DIR and the first', async () => {
    const child = await holder();
    const refusal: unknown = await lockFolder(folder, { platform }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(String(refusal)).toContain(
      `DATA_DIR ${folder} is in use by another server (process ${child.pid})`,
    );
  });

  test('another name of the same folder is the same folder', async () => {
    await holder();
    const alias = `${folder}-alias`;
    await symlink(folder, alias);
    await expect(lockFolder(alias, { platform })).rejects.toThrow('in use');
    await rm(alias);
  });

  test('kill -9 frees it at once', async () => {
    await kill(await holder());
    const lock = await lockFolder(folder, { platform });
    await lock.release();
  });

  test('of many that start after a kill exactly one wins', async () => {
    await kill(await holder());
    const attempts = await Promise.allSettled(
      Array.from({ length: 8 }, () => lockFolder(folder, { platform })),
    );
    const winners = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    await Promise.all(winners.map((winner) => winner.value.release()));
  });

  test('a released folder can be locked again, another folder always', async () => {
    const lock = await lockFolder(folder, { platform });
    const other = await lockFolder(join(folder, 'made', 'on', 'demand'), { platform });
    await lock.release();
    await (await lockFolder(folder, { platform })).release();
    await other.release();
  });
});
