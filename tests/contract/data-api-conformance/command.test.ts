/** `npm run data-api` as a process of its own. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { openPostgresDatabase } from '../../../server/platform/db/postgres-database.ts';
import { createPostgresDatabase } from '../../../server/platform/db/test-databases.ts';
import { FILM_SCHEMA } from './film-schema.ts';

const LIMIT_MS = 60_000;
const children: ChildProcess[] = [];

function start(args: readonly string[]): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/data-api.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});

test(
  'serves a schema on loopback, sees changes on notify and on a signal, and ends when told',
  async () => {
    const url = await createPostgresDatabase();
    const db = await openPostgresDatabase({ url, logger: pino({ level: 'silent' }) });
    await db.script(FILM_SCHEMA);
    const { child, output } = start([
      '--database-url',
      url,
      '--schema',
      'cinema',
      '--port',
      '0',
      '--max-rows',
      '2',
    ]);
    const address = await vi.waitUntil(() => /on (http:\S+)/.exec(output())?.[1], { timeout: LIMIT_MS });
    const get = async (path: string) => (await fetch(`${address}${path}`)).json();

    expect(address).toContain('127.0.0.1');
    expect(await get('/films?select=id&order=id')).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await get('/rpc/years')).toEqual([1910, 1954]);

    await db.script("alter table cinema.notes add column extra int; notify pgrst, 'reload schema'");
    await vi.waitFor(
      async () => expect(await get('/notes?limit=1')).toMatchObject([{ extra: null }]),
      LIMIT_MS,
    );
    await db.script('alter table cinema.notes add column more int');
    child.kill('SIGUSR1');
    await vi.waitFor(
      async () => expect(await get('/notes?limit=1')).toMatchObject([{ more: null }]),
      LIMIT_MS,
    );

    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    await db.close();
  },
  LIMIT_MS * 2,
);

test(
  'says what is wrong with how it was called',
  async () => {
    const { child, output } = start(['--schema', 'cinema']);
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(2);
    expect(output()).toContain('--database-url is missing');
    expect(output()).toContain('usage: npm run data-api');
  },
  LIMIT_MS,
);
