/**
 * Many servers on one PostgreSQL (docs/decisions/0019-leases.md): each due check, scrape, mail and effect happens once, goes on
 * when a server is killed or frozen, and what a frozen one writes late is refused.
 */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';
import { openPostgresDatabase } from '../../server/platform/db/postgres-database.ts';
import { createMigratedPostgres } from '../../server/platform/db/test-databases.ts';
import { createSealer } from '../../server/platform/crypto/sealing.ts';
import { partOf } from '../../server/platform/jobs/leased-role.ts';
import { createLeases } from '../../server/platform/jobs/leases.ts';
import { createCourier } from '../../server/platform/mail/courier.ts';
import { recoveryMail } from '../../server/platform/mail/mail-texts.ts';
import { nodePlatform } from '../../server/platform/platform.ts';
import { startProcess, type ServerProcess } from '../security/support/server-process.ts';

const silent = pino({ level: 'silent' });
const KEY = Buffer.alloc(32, 7);
const CHECKS = 8;
const PERIOD_MS = 2000;
const PARTS = 16;
const MAILS = 30;
const EFFECTS = 12;
const WAIT = { timeout: 120_000, interval: 200 };
// A test waits more than once.
vi.setConfig({ testTimeout: 3 * WAIT.timeout });

/** Counts calls by path; `/held` is answered when the test says so. */
async function startProbe() {
  const calls = new Map<string, number>();
  const held: ServerResponse[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    calls.set(path, (calls.get(path) ?? 0) + 1);
    if (path === '/held') held.push(response);
    else if (path === '/items') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"one","name":"one"}');
    } else response.writeHead(200).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls, held, server };
}

async function startSmtp() {
  const received: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      stream.resume();
      stream.on('end', () => {
        received.push(...session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as AddressInfo;
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((end) => smtp.close(end)),
  };
}

describe('three servers on one PostgreSQL', () => {
  const servers: ServerProcess[] = [];
  let root: string;
  let db: Database;
  let probe: Awaited<ReturnType<typeof startProbe>>;
  let smtp: Awaited<ReturnType<typeof startSmtp>>;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'holdfast-servers-'));
    const url = await createMigratedPostgres();
    db = await openPostgresDatabase({ url, logger: silent });
    [probe, smtp] = await Promise.all([startProbe(), startSmtp()]);
    for (let check = 0; check < CHECKS; check += 1) await addCheck(`c${check}`, `/c${check}`);
    await db.run(
      `insert into config_scrapers (name, source, spec) values ('default/items', 'UI', $1::jsonb)`,
      [
        {
          schedule: `@every ${PERIOD_MS}ms`,
          http: [{ url: `${probe.url}/items`, id: '$.id', name: '$.name', type: 'Thing' }],
        },
      ],
    );
    for (let at = 0; at < 3; at += 1) {
      const dataDir = join(root, `server-${at}`);
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, 'identity.key'), `${KEY.toString('hex')}\n`);
      const env = { DATABASE_URL: url, SMTP_URL: smtp.url, EGRESS_ALLOW: 'loopback' };
      servers.push(startProcess({ ...env, DATA_DIR: dataDir }));
      await servers.at(-1)?.ready();
    }
  });
  afterAll(async () => {
    for (const { child } of servers) child.kill('SIGCONT');
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await smtp.close();
    probe.server.closeAllConnections();
    probe.server.close();
    await db.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });

  const addCheck = async (
    name: string,
    path: string,
    schedule = `@every ${PERIOD_MS}ms`,
  ): Promise<string> => {
    const spec = {
      schedule,
      http: [{ name, url: `${probe.url}${path}`, timeout: 60_000 }],
    };
    const [row] = await db.rows(
      z.custom<{ id: string }>(),
      `insert into canaries (name, namespace, source, spec) values ($1, 'default', 'UI', $2::jsonb) returning id`,
      [name, spec],
    );
    return row?.id ?? '';
  };
  const one = async (sql: string, params: readonly string[] = []) =>
    Number((await db.text(sql, params)) ?? 0);
  const now = async () => (await db.text('select clock_timestamp()::text')) ?? '';
  /** Process ids of those that hold parts of the checks. */
  const holders = async () => {
    const rows = await db.rows(
      z.custom<{ pid: string }>(),
      `select distinct split_part(holder, '/', 2) as pid from leases
        where name like 'checks/%' and until > clock_timestamp()`,
    );
    return new Set(rows.map(({ pid }) => Number(pid)));
  };
  /** Checks that have a result since then. */
  const fresh = (since: string) =>
    one(
      `select count(distinct check_id)::text from check_statuses join checks on checks.id = check_id
        where name ~ '^c[0-9]+$' and time > $1::timestamptz`,
      [since],
    );
  /** Runs that came less than half a period after the one before. */
  const doubled = (since: string) =>
    one(
      `select count(*)::text from (
         select time - lag(time) over (partition by check_id order by time) as gap from check_statuses
          where time > $1::timestamptz) as runs where gap < interval '1 millisecond' * ${PERIOD_MS / 2}`,
      [since],
    );
  const doubledScrapes = () =>
    one(
      `select count(*)::text from (
         select time_start - lag(time_start) over (order by time_start) as gap from job_history
          where name = 'Scrape') as runs
        where gap < interval '1 millisecond' * ${PERIOD_MS / 2}`,
    );

  it('share the checks, and run each check and each scrape once a period', async () => {
    await expect.poll(async () => (await holders()).size, WAIT).toBe(3);
    const since = await now();
    const callsBefore = probe.calls.get('/c0') ?? 0;
    const runs = () => one(`select count(*)::text from check_statuses where time > $1::timestamptz`, [since]);
    await expect.poll(runs, WAIT).toBeGreaterThan(CHECKS * 6);
    expect(await fresh(since)).toBe(CHECKS);
    expect(await doubled(since)).toBe(0);
    const calls = probe.calls.get('/c0') ?? 0;
    const stored = await one(
      `select count(*)::text from check_statuses join checks on checks.id = check_id
        where checks.name = 'c0' and time > $1::timestamptz`,
      [since],
    );
    // One call may be on its way at either end.
    expect(Math.abs(calls - callsBefore - stored)).toBeLessThanOrEqual(1);
    // No scraper runs more often than each half minute.
    await expect.poll(() => probe.calls.get('/items') ?? 0, WAIT).toBeGreaterThan(1);
    expect(await doubledScrapes()).toBe(0);
  });

  it('send each mail once', async () => {
    const courier = createCourier({
      db,
      platform: nodePlatform,
      logger: silent,
      leases: createLeases({ db, platform: nodePlatform, logger: silent }),
      sealer: createSealer(KEY, nodePlatform),
      transport: {
        isFile: false,
        send: () => Promise.reject(new Error('not here')),
        list: () => Promise.resolve([]),
      },
    });
    const mail = recoveryMail({ code: '123456', link: 'http://localhost/x' });
    const sentTo = Array.from({ length: MAILS }, (_, at) => `m${at}@example.com`);
    for (const to of sentTo) await courier.enqueue(db, to, mail);
    const waiting = () => one(`select count(*)::text from identity_mails where state = 'queued'`);
    await expect.poll(waiting, WAIT).toBe(0);
    expect(smtp.received.toSorted()).toEqual(sentTo.toSorted());
  });

  it('carry out each effect of a command once', async () => {
    await addCheck('asked', '/asked', '@every 24h');
    await expect.poll(() => probe.calls.get('/asked') ?? 0, WAIT).toBe(1);
    await db.run(
      `insert into command_effects (command_id, name, args, person_id, expires_at)
       select gen_random_uuid(), 'run_check', jsonb_build_object('checkId', checks.id), people.id, now() + interval '1 hour'
         from generate_series(1, ${EFFECTS}), checks, (select id from people limit 1) as people where checks.name = 'asked'`,
    );
    const undone = () => one('select count(*)::text from command_effects where done_at is null');
    await expect.poll(undone, WAIT).toBe(0);
    expect(await one(`select count(*)::text from command_effects where outcome = 'ran'`)).toBe(EFFECTS);
    expect(probe.calls.get('/asked')).toBe(1 + EFFECTS);
  });

  it('take each step of a playbook once, pressed or by its schedule', async () => {
    const RUNS = 30;
    const addPlaybook = async (name: string, spec: object) =>
      z
        .string()
        .parse(
          await db.text(
            `insert into playbooks (name, title, spec, source) values ($1, $1, $2::jsonb, 'UI') returning id::text`,
            [name, JSON.stringify(spec)],
          ),
        );
    const ask = (name: string, path: string) => ({ name, http: { url: `${probe.url}${path}` } });
    const pressed = await addPlaybook('pressed', {
      actions: [ask('first', '/first/{{.run.id}}'), ask('second', '/second/{{.run.id}}')],
    });
    const since = Date.now();
    const ticking = await addPlaybook('ticking', {
      on: { schedule: [{ schedule: '@every 2s' }] },
      actions: [ask('tick', '/tick')],
    });
    await db.run(
      `with runs as (
         insert into playbook_runs (playbook_id, spec, status)
         select id, spec, 'scheduled' from playbooks, generate_series(1, ${RUNS}) where id = $1::uuid returning id)
       insert into playbook_run_states (run_id) select id from runs`,
      [pressed],
    );
    const ended = (playbook: string) =>
      one(`select count(*)::text from playbook_runs where playbook_id = $1::uuid and status = 'completed'`, [
        playbook,
      ]);
    await expect.poll(() => ended(pressed), WAIT).toBe(RUNS);
    const asked = [...probe.calls].filter(([path]) => /^\/(first|second)\//.test(path));
    expect(asked.length).toBe(2 * RUNS);
    expect(new Set(asked.map(([, calls]) => calls))).toEqual(new Set([1]));
    await expect.poll(() => ended(ticking), WAIT).toBeGreaterThan(2);
    await db.run('update playbooks set deleted_at = now() where id = $1::uuid', [ticking]);
    const open = () =>
      one(`select count(*)::text from playbook_runs where playbook_id = $1::uuid and status <> 'completed'`, [
        ticking,
      ]);
    await expect.poll(open, WAIT).toBe(0);
    const ticks = await ended(ticking);
    expect(probe.calls.get('/tick')).toBe(ticks);
    expect(ticks).toBeLessThanOrEqual((Date.now() - since) / 2000 + 1);
  });

  it('go on when one is frozen, and refuse what it writes when it wakes', async () => {
    const id = await addCheck('held', '/held');
    await expect.poll(() => probe.held.length, WAIT).toBe(1);
    const lease = `checks/${partOf(id, PARTS)}`;
    const pid = Number(
      await db.text(`select split_part(holder, '/', 2) from leases where name = $1`, [lease]),
    );
    const frozen = servers.find(({ child }) => child.pid === pid);
    frozen?.child.kill('SIGSTOP');
    const since = await now();
    // Another one takes its part over and runs the same check; every check goes on.
    await expect.poll(() => probe.held.length, WAIT).toBe(2);
    await expect.poll(() => fresh(since), WAIT).toBe(CHECKS);
    probe.held[1]?.writeHead(200).end('ok');
    probe.held[0]?.writeHead(500).end('late');
    const stored = (isPassed: boolean) =>
      one(
        `select count(*)::text from check_statuses join checks on checks.id = check_id
          where checks.name = 'held' and check_statuses.status = ($1::boolean)`,
        [String(isPassed)],
      );
    await expect.poll(() => stored(true), WAIT).toBe(1);
    frozen?.child.kill('SIGCONT');
    await expect.poll(() => frozen?.output(), WAIT).toContain('results refused');
    expect(await stored(false)).toBe(0);
    await expect.poll(async () => (await holders()).size, WAIT).toBe(3);
  });

  it('go on when one is killed', async () => {
    const [victim] = servers;
    await victim?.end('SIGKILL');
    const since = await now();
    await expect.poll(() => fresh(since), WAIT).toBe(CHECKS);
    await expect.poll(async () => (await holders()).has(victim?.child.pid ?? 0), WAIT).toBe(false);
    const after = await now();
    const runs = () => one(`select count(*)::text from check_statuses where time > $1::timestamptz`, [after]);
    await expect.poll(runs, WAIT).toBeGreaterThan(CHECKS * 4);
    expect(await fresh(after)).toBe(CHECKS);
    expect(await doubled(after)).toBe(0);
  });
});
