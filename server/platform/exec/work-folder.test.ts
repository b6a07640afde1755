import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { makeWorkFolder, removeLeftFolders } from './work-folder.ts';

const logger = pino({ level: 'silent' });
const root = mkdtempSync(join(tmpdir(), 'holdfast-left-'));
/** Where this process makes one, to see its name. */
const made = join(root, 'made');
mkdirSync(made);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder as a process of that number makes them, with something in it. */
async function folderOf(pid: number, machine?: string): Promise<string> {
  const own = basename(await makeWorkFolder('gitops', made));
  const [, name = ''] = /^holdfast-gitops-(\w+)_\d+_/.exec(own) ?? [];
  const folder = join(root, own.replace(`${name}_${process.pid}`, `${machine ?? name}_${String(pid)}`));
  mkdirSync(join(folder, 'objects'), { recursive: true });
  writeFileSync(join(folder, 'objects', 'pack'), 'x');
  return folder;
}

async function processThatIsGone(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('what a process left that is gone is removed, and nothing else', async () => {
  const gone = await processThatIsGone();
  const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });
  try {
    const left = await folderOf(gone);
    const stay = [
      await folderOf(other.pid ?? 0),
      // This process works in it.
      await folderOf(process.pid),
      // Of a container that shares the folder: its numbers say nothing here.
      await folderOf(gone, 'elsewhere'),
      join(root, 'holdfast-gitops-Ab12Cd'),
      join(root, `somebody-else_${String(gone)}_x`),
    ];
    for (const folder of stay.slice(3)) mkdirSync(folder, { recursive: true });
    await removeLeftFolders({ logger, workRoot: root });
    expect(existsSync(left)).toBe(false);
    for (const folder of stay) expect(existsSync(folder), folder).toBe(true);
  } finally {
    other.kill();
  }
});

test('a server that has the number of the one before removes what that one left', async () => {
  const left = await folderOf(process.pid);
  const long = new Date('2026-01-01T00:00:00Z');
  utimesSync(left, long, long);
  await removeLeftFolders({ logger, workRoot: root });
  expect(existsSync(left)).toBe(false);
});

test('a folder that can not be read is told and hinders nothing', async () => {
  await expect(removeLeftFolders({ logger, workRoot: join(root, 'nowhere') })).resolves.toBeUndefined();
});
