/**
 * A server and two agents as processes of their own, each with its own database: killed and frozen in turn, their lines
 * cut and half open. Nothing is lost or doubled, nothing is green that nobody looked at, and each silence is told once.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';
import { openPostgresDatabase } from '../../server/platform/db/postgres-database.ts';
import { createMigratedPostgres } from '../../server/platform/db/test-databases.ts';
import { runs } from '../effort.ts';
import { addPlaybook } from '../playbooks/support/playbook-setting.ts';
import { startProcess, type ServerProcess } from '../security/support/server-process.ts';
import { openTestBrowser, type TestBrowser } from '../security/support/test-browser.ts';
import { openWeakLine, type WeakLine } from './weak-line.ts';

const ROUNDS = runs(1);
const CHECKS = 4;
const TROUBLE_MS = 2500;
const WAIT = { timeout: 240_000, interval: 250 };
const ADMIN = { email: 'admin@local', password: 'a password for killing' };
const silent = pino({ level: 'silent' });
const NOBODY = '00000000-0000-0000-0000-000000000000';

interface Site {
  name: string;
  id: string;
  db: Database;
  env: Record<string, string>;
  line: WeakLine;
  process: ServerProcess;
}

let root = '';
let db: Database;
let serverEnv: Record<string, string>;
let server: ServerProcess;
let serverUrl = '';
let browser: TestBrowser;
let sites: Site[] = [];
let isFailing = false;
const probe = createServer((_request, response) => response.writeHead(isFailing ? 500 : 200).end('ok'));
const pressed: { id: string; word: string }[] = [];

const openDatabase = async () => {
  const url = await createMigratedPostgres();
  return { url, db: await openPostgresDatabase({ url, logger: silent }) };
};
const folderOf = (name: string) => {
  mkdirSync(join(root, name));
  return join(root, name);
};

async function startServer(): Promise<void> {
  server = startProcess(serverEnv);
  serverUrl = await server.ready();
  for (const { line } of sites) line.leadTo(serverUrl);
  const before = browser as TestBrowser | undefined;
  browser = openTestBrowser(serverUrl);
  if (before === undefined) await browser.signIn(ADMIN.email, ADMIN.password);
  else for (const [name, value] of before.cookies) browser.cookies.set(name, value);
}

async function makeSite(name: string, probeUrl: string): Promise<Site> {
  const own = await openDatabase();
  const answer = await browser.post('/api/agent/generate', { name });
  const made = z.object({ id: z.string(), access_token: z.string() }).parse(await answer.json());
  const id = (await db.text('select id::text from agents where person_id = $1', [made.id])) ?? '';
  for (let check = 0; check < CHECKS; check += 1)
    await own.db.run(
      `insert into canaries (name, namespace, source, spec) values ($1, 'default', 'UI', $2::jsonb)`,
      [`${name}-${check}`, { schedule: '@every 1s', http: [{ name: 'home', url: `${probeUrl}/${check}` }] }],
    );
  const line = await openWeakLine(serverUrl);
  const env = {
    DATABASE_URL: own.url,
    DATA_DIR: folderOf(name),
    UPSTREAM_URL: line.url,
    UPSTREAM_PASSWORD: made.access_token,
    AGENT_NAME: name,
    EGRESS_ALLOW: 'loopback',
    ALLOW_EXEC: 'true',
    LOG_LEVEL: 'fatal',
  };
  return { name, id, db: own.db, env, line, process: startProcess(env) };
}

const WORDS = () => join(root, 'words');
/** Presses Run of a playbook for each agent: a script that leaves a word, once. */
async function press(playbook: string): Promise<void> {
  for (const { name } of sites) {
    const word = `${name}-${pressed.length}`;
    const answer = await browser.post('/api/playbook/run', { id: playbook, params: { agent: name, word } });
    pressed.push({ id: z.object({ run_id: z.string() }).parse(await answer.json()).run_id, word });
  }
}

/** Each run as a text, so that they can be compared. */
const runsOf = async (from: Database, agent: string, before: string): Promise<string[]> => {
  const rows = await from.rows(
    z.unknown(),
    `select check_id::text, time::text, check_statuses.status from check_statuses join checks on checks.id = check_id
      where agent_id = $1::uuid and time < $2::timestamptz order by time, check_id`,
    [agent, before],
  );
  return rows.map((row) => JSON.stringify(row));
};
const count = async (sql: string, params: readonly string[]) => Number((await db.text(sql, params)) ?? 0);

const OUTAGES = `select count(*) from monitor_outages where kind = 'agent' and agent_id = $1`;
const GREEN = `select count(*) from checks
  where agent_id = $1 and deleted_at is null and blind_since is null and status = 'healthy'`;

/** As if it were silent for as long as it takes to be missed: its checks are unknown then, all of them. */
async function miss({ id }: Site): Promise<void> {
  await db.run(`update agents set last_seen = now() - interval '2 minutes' where id = $1`, [id]);
  await expect.poll(() => count(`${OUTAGES} and ended_at is null`, [id]), WAIT).toBe(1);
  expect(await count(GREEN, [id])).toBe(0);
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-agents-'));
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const probeUrl = `http://127.0.0.1:${(probe.address() as AddressInfo).port}`;
  const own = await openDatabase();
  db = own.db;
  serverEnv = {
    DATABASE_URL: own.url,
    DATA_DIR: folderOf('server'),
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'fatal',
  };
  await startServer();
  for (const name of ['north', 'south']) sites.push(await makeSite(name, probeUrl));
}, WAIT.timeout);

afterAll(async () => {
  const all = [server, ...sites.map((site) => site.process)];
  for (const { child } of all) child.kill('SIGCONT');
  await Promise.all(all.map((one) => one.end('SIGKILL')));
  for (const site of sites) await site.line.close();
  await Promise.all([db, ...sites.map((site) => site.db)].map((one) => one.close()));
  probe.closeAllConnections();
  probe.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

it(
  `keeps every run of every check, and does every action once, through ${ROUNDS} rounds of trouble`,
  async () => {
    const playbook = await addPlaybook(db, 'leave a word', {
      parameters: [{ name: 'agent' }, { name: 'word' }],
      runsOn: ['{{ .params.agent }}'],
      actions: [
        { name: 'say', timeout: '15s', exec: { script: `sleep 0.5; echo "$PARAM_WORD" >> ${WORDS()}` } },
      ],
    });
    await Promise.all(sites.map((site) => site.process.ready()));
    const [north, south] = sites as [Site, Site];
    for (const { id } of sites) await expect.poll(() => count(GREEN, [id]), WAIT).toBe(CHECKS);
    const freeze = async (one: ServerProcess) => {
      one.child.kill('SIGSTOP');
      await sleep(TROUBLE_MS);
      one.child.kill('SIGCONT');
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await press(playbook);
      await freeze(server);
      await press(playbook);
      await server.end('SIGKILL');
      isFailing = true;
      await startServer();
      await press(playbook);
      // One is killed while the other is frozen, and missed; then the other way round, with its line.
      await north.process.end('SIGKILL');
      north.process = startProcess(north.env);
      south.process.child.kill('SIGSTOP');
      await miss(south);
      south.process.child.kill('SIGCONT');
      isFailing = false;
      await north.process.ready();
      await press(playbook);
      await south.process.end('SIGKILL');
      south.process = startProcess(south.env);
      north.line.set('half open');
      await miss(north);
      north.line.set('cut');
      await sleep(TROUBLE_MS);
      north.line.set('whole');
      await press(playbook);
      await south.process.ready();
      await freeze(north.process);
    }
    const before = (await db.text('select now()::text')) ?? '';
    for (const { id, db: own, name } of sites) {
      expect((await runsOf(own, NOBODY, before)).length, name).toBeGreaterThan(CHECKS * 2);
      // Runs that began before may end now: both are read each time.
      const differing = async () => {
        const here = await runsOf(own, NOBODY, before);
        const there = await runsOf(db, id, before);
        return here.filter((run) => !there.includes(run)).concat(there.filter((run) => !here.includes(run)));
      };
      await expect.poll(differing, WAIT).toEqual([]);
    }
    // Where the machine is slow there may be more silences; each is told once.
    for (const { id, name } of sites) {
      const told = await count(OUTAGES, [id]);
      expect(told, name).toBeGreaterThanOrEqual(ROUNDS);
      expect(await count(OUTAGES.replace('count(*)', 'count(distinct since)'), [id]), name).toBe(told);
    }

    const ids = pressed.map(({ id }) => id);
    const open = `select count(*) from playbook_runs where id::text = any(string_to_array($1, ',')) and end_time is null`;
    await expect.poll(() => count(open, [ids.join(',')]), WAIT).toBe(0);
    const said = readFileSync(WORDS(), 'utf8').split('\n').filter(Boolean);
    expect(new Set(said).size).toBe(said.length);
    for (const { id, word } of pressed) {
      const status = await db.text('select status from playbook_runs where id = $1', [id]);
      if (status === 'completed') expect(said).toContain(word);
    }
    expect(said.length).toBeGreaterThan(0);
    // What is green here is green there, by the last run of each.
    const states = (from: Database, agent: string) =>
      from.rows(
        z.unknown(),
        `select id::text, status from checks where agent_id = $1::uuid and blind_since is null and deleted_at is null order by id`,
        [agent],
      );
    for (const { id, db: own } of sites) {
      const isSame = async () => isDeepStrictEqual(await states(db, id), await states(own, NOBODY));
      await expect.poll(isSame, WAIT).toBe(true);
    }
  },
  2 * WAIT.timeout * ROUNDS,
);
