/** The demo fills every screen of the product, is loaded once, and goes without a trace. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../../server/platform/db/open-database.ts';
import { removeDemo } from '../../server/app/demo/remove-demo-query.ts';
import { INCIDENT_STATUSES } from '../../src/domain/incident/incident.ts';
import { startProcess } from '../security/support/server-process.ts';
import type { ServerProcess } from '../security/support/server-process.ts';

const ADMIN = { ADMIN_EMAIL: 'admin@local', ADMIN_PASSWORD: 'not-a-secret-in-tests' };
const authorization = `Basic ${Buffer.from(Object.values(ADMIN).join(':')).toString('base64')}`;
const LOAD_LIMIT = { timeout: 150_000, interval: 1000 };

/** What menu entries show, as queries of the data API. */
const SHOWN = [
  'components?deleted_at=is.null',
  'checks?deleted_at=is.null',
  'incidents?',
  'hypotheses?',
  'comments?',
  'evidences?',
  'responders?',
  'configs?deleted_at=is.null',
  'config_changes?',
  'config_analysis?status=eq.open',
  'config_relationships?deleted_at=is.null',
  'playbooks?deleted_at=is.null',
  'connections_list?',
  'teams?deleted_at=is.null',
  'incident_rules?deleted_at=is.null',
  'config_scrapers?deleted_at=is.null',
  'topologies?deleted_at=is.null',
  'canaries?deleted_at=is.null',
  'job_history?',
] as const;

let folder: string;
let server: ServerProcess | null = null;
let url = '';

async function start(...args: string[]): Promise<void> {
  server = startProcess({ DATA_DIR: folder, ...ADMIN }, args);
  url = await server.ready();
}

async function stop(): Promise<void> {
  await server?.end('SIGTERM');
  server = null;
}

async function read(query: string): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${url}/api/db/${query}`, { headers: { authorization } });
  expect(answer.status, query).toBeLessThan(300);
  return (await answer.json()) as Record<string, unknown>[];
}

async function counts(): Promise<number[]> {
  const found: number[] = [];
  // One after the other: the server bounds how many sign-ins it checks at once.
  for (const query of SHOWN) found.push((await read(`${query}&limit=500`)).length);
  return found;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-demo-'));
});
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

test('the demo has something for every menu entry, is loaded once, and is removed by one command', async () => {
  await start('--demo');
  await vi.waitFor(
    async () => expect(await read('responders?')).toHaveLength(INCIDENT_STATUSES.length),
    LOAD_LIMIT,
  );
  const statuses = (await read('incidents?select=status')).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set(INCIDENT_STATUSES));
  for (const [index, count] of (await counts()).entries()) expect(count, SHOWN[index]).toBeGreaterThan(0);
  await vi.waitFor(
    async () => expect(await read('components?health=neq.unknown&type=eq.System')).toHaveLength(9),
    LOAD_LIMIT,
  );
  await stop();

  await start('--demo');
  expect(await read('incidents?select=status')).toHaveLength(INCIDENT_STATUSES.length);
  await stop();

  const db = await openDatabase({
    databaseUrl: undefined,
    dataDir: folder,
    logger: pino({ level: 'silent' }),
  });
  await removeDemo(db);
  await db.close();
  await start();
  // The server watches itself again, as in the first minute of an empty one.
  const own = ['checks?deleted_at=is.null', 'canaries?deleted_at=is.null', 'job_history?'];
  for (const [index, count] of (await counts()).entries())
    if (!own.includes(SHOWN[index] ?? '')) expect(count, SHOWN[index]).toBe(0);
  expect((await read('canaries?deleted_at=is.null&select=name')).map(({ name }) => name)).toEqual([
    'holdfast',
  ]);
  const people = (await read('people?deleted_at=is.null&select=email')).map(({ email }) => email);
  expect(people.filter((email) => String(email).endsWith('@demo.example'))).toEqual([]);
}, 300_000);
