import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockFolder } from '../../server/platform/db/folder-lock.ts';

const SLOW = 300_000;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-transfer-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(script: string, ...args: string[]): Promise<{ code: unknown; output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', `scripts/${script}.ts`, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', DATA_DIR: join(folder, 'data') },
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString('utf8')));
  child.stderr.on('data', (text: Buffer) => (output += text.toString('utf8')));
  const [code] = (await once(child, 'exit')) as [unknown];
  return { code, output };
}

test('a folder that a server holds is left alone: exit 1 and who holds it', { timeout: SLOW }, async () => {
  const lock = await lockFolder(join(folder, 'data'));
  try {
    const found = await run('import', folder);
    expect(found.output).toContain('is in use by another server');
    expect(found.code).toBe(1);
    expect(await readdir(join(folder, 'data'))).toEqual([]);
  } finally {
    await lock.release();
  }
});

test('called wrongly they say how to: exit 2', { timeout: SLOW }, async () => {
  const nothing = await run('import');
  expect(nothing).toMatchObject({ code: 2 });
  expect(nothing.output).toContain('usage: npm run import -- DIR [--skip-unknown]');
  const strange = await run('export', folder, '--all');
  expect(strange.code).toBe(2);
  expect(strange.output).toContain('--all');
});

test(
  'what import refuses ends with 1 and the list; what export wrote, import takes',
  { timeout: SLOW },
  async () => {
    const set = join(folder, 'set');
    expect(await run('export', set)).toMatchObject({ code: 0 });
    await writeFile(join(set, 'teams.json'), '[{"name": 5}]');
    const refused = await run('import', set);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('teams.json row 1: name is 5; wanted is a text (text)');
    await writeFile(join(set, 'teams.json'), '[]');
    const taken = await run('import', set);
    expect(taken.output).toContain('imported ');
    expect(taken.code).toBe(0);
  },
);
