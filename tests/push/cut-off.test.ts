/** A server that can't see tells that once, and once when it can again; so it does of an agent, and of its clock. */
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startLocalServer, type LocalServer } from '../../server/catalog/scrapers/testing/local-server.ts';
import { markBlind } from '../../server/health/sight/sight-query.ts';
import { Sight } from '../../server/health/sight/sight.ts';
import { createWatch } from '../../server/health/sight/watch-sight.ts';
import { NotificationSetting } from '../../server/notifications/testing/notification-setting-query.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { createServerGuard } from '../../server/platform/egress/server-guard.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

let db: Database;
let setting: NotificationSetting;
let hook: LocalServer;
let place: Server;
let port = 0;
/** What the clock was set by, and what passed on the other. */
let sleptMs = 0;

const listen = (at: number) =>
  new Promise<void>((resolve) => {
    place = createServer((socket) => socket.end()).listen(at, '127.0.0.1', resolve);
  });
beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
  setting = new NotificationSetting(db);
  hook = await startLocalServer(() => ({ body: 'ok' }));
});
afterAll(async () => {
  await setting.service.run(AbortSignal.abort());
  await hook.close();
  await db.close();
});
beforeEach(async () => {
  hook.asked.length = 0;
  sleptMs = 0;
  await setting.clear();
  await db.run('delete from monitor_outages');
  await listen(0);
  const address = place.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

const sightOf = () =>
  new Sight({
    probes: [`127.0.0.1:${port}`],
    guard: createServerGuard({ egressAllow: ['loopback'], egressDeny: [], databaseUrl: null }),
    hasNetwork: () => true,
    now: () => setting.now(),
    elapsed: () => setting.now() - sleptMs,
  });
const watchOf = (sight: Sight) =>
  createWatch({
    db,
    sight,
    notifier: { notify: () => undefined },
    serverName: 'north',
    now: () => setting.now(),
  });
const close = () => new Promise((resolve) => place.close(resolve));
const titles = () => hook.asked.map(({ body }) => (JSON.parse(body) as { title: string }).title);
const bodies = () => hook.asked.map(({ body }) => (JSON.parse(body) as { message: string }).message);
const service = (more: object = {}) => ({
  custom_services: [{ name: 'hook', url: `${hook.url}/in`, ...more }],
});
async function pass(watch: () => Promise<void>, ms: number): Promise<void> {
  setting.advance(ms);
  await watch();
  await setting.settle();
}

test('one message however many checks are unknown, to who would be told of one of them, and one when it is over', async () => {
  await setting.rule({ events: ['check.failed'], ...service() });
  await setting.rule({ events: ['check.failed'], filter: 'check.name == "nowhere"', ...service() });
  await setting.rule({ events: ['config.created'], ...service() });
  const checks: string[] = [];
  for (let made = 0; made < 12; made += 1) checks.push(await setting.check(`shop ${made}`));
  const sight = sightOf();
  const watch = watchOf(sight);
  await watch();
  await close();
  setting.advance(5 * SECOND_MS);
  const blind = await sight.blindnessOf('http', setting.now());
  for (const id of checks)
    await markBlind(db, { id, reason: blind?.reason ?? '', since: new Date(blind?.sinceMs ?? 0) });
  await pass(watch, 5 * SECOND_MS);
  // A line that comes back at once is no news.
  expect(titles()).toEqual([]);
  await pass(watch, 15 * SECOND_MS);
  await pass(watch, MINUTE_MS);
  expect(titles()).toEqual(['north cannot see: 12 checks are unknown']);
  expect(bodies()[0]).toContain('reaches none of');
  await listen(port);
  for (const id of checks) await setting.setCheck(id, 'healthy');
  await pass(watch, 5 * SECOND_MS);
  await pass(watch, MINUTE_MS);
  expect(titles().slice(1)).toEqual(['north sees again']);
  await close();
});

test('a line that comes back at once is told to nobody', async () => {
  await setting.rule({ events: ['check.failed'], ...service() });
  const watch = watchOf(sightOf());
  await watch();
  await close();
  await pass(watch, 5 * SECOND_MS);
  await listen(port);
  await pass(watch, 5 * SECOND_MS);
  await pass(watch, MINUTE_MS);
  expect(titles()).toEqual([]);
  await close();
});

test('an agent that falls silent is one message; its checks are unknown until it speaks, and then what they were', async () => {
  await setting.rule({ events: ['check.failed', 'check.passed'], ...service() });
  const agent = await setting.id(
    `insert into agents (name, last_seen) values ($1, $2::timestamptz) returning id`,
    ['edge', new Date(setting.now()).toISOString()],
  );
  const till = await setting.check('till');
  const checks = [till, await setting.check('scale')];
  await db.run('update checks set agent_id = $1 where id = any($2::uuid[])', [agent, checks]);
  const watch = watchOf(sightOf());
  const speak = () =>
    db.run('update agents set last_seen = $2::timestamptz where id = $1', [agent, new Date(setting.now())]);
  const states = () =>
    db.text(`select string_agg(coalesce(status, 'unknown'), ',') from checks where id = any($1::uuid[])`, [
      checks,
    ]);
  await speak();
  for (let looks = 0; looks < 4; looks += 1) await pass(watch, MINUTE_MS);
  expect(await states()).toBe('unknown,unknown');
  expect(titles()).toEqual(['edge cannot see: 2 checks are unknown']);
  await speak();
  await pass(watch, 5 * SECOND_MS);
  expect(await states()).toBe('healthy,healthy');
  expect(titles().slice(1)).toEqual(['edge sees again']);
  // A check that was due meanwhile is not green because its agent answers: nobody has looked.
  const dueAt = new Date(setting.now() + 2 * MINUTE_MS).toISOString();
  await db.run('update checks set next_runtime = $2::timestamptz where id = $1', [till, dueAt]);
  await speak();
  for (let looks = 0; looks < 4; looks += 1) await pass(watch, MINUTE_MS);
  await speak();
  await pass(watch, 5 * SECOND_MS);
  expect((await states())?.split(',').toSorted()).toEqual(['healthy', 'unknown']);
  expect(await db.text('select not_run_reason from checks where id = $1', [till])).toContain(
    'the agent edge is back and has not told of this check since',
  );
  await close();
});

test('what is kept of an agent that is deleted is unknown, silent before or not, and nobody hears that it is back', async () => {
  await setting.rule({ events: ['check.failed', 'check.passed'], ...service() });
  await db.run(`update agents set deleted_at = now() where name = 'edge'`);
  const made: string[] = [];
  for (const name of ['gone', 'lost']) {
    const agent = await setting.id('insert into agents (name) values ($1) returning id', [name]);
    await db.run('update checks set agent_id = $1 where id = $2', [agent, await setting.check(name)]);
    made.push(agent);
  }
  const [gone = ''] = made;
  // Of one that was silent for days when this server began to look, its checks are unknown, too, and it is no news.
  const old = await setting.id('insert into agents (name, last_seen) values ($1, $2) returning id', [
    'old',
    new Date(setting.now() - 72 * 60 * MINUTE_MS).toISOString(),
  ]);
  const oldCheck = await setting.check('old');
  await db.run('update checks set agent_id = $1 where id = $2', [old, oldCheck]);
  const watch = watchOf(sightOf());
  const speak = (ids: string[]) =>
    db.run('update agents set last_seen = $2::timestamptz where id = any($1::uuid[])', [
      ids,
      new Date(setting.now()),
    ]);
  const states = () =>
    db.text(
      `select string_agg(concat_ws(' ', name, status, not_run_reason), ', ' order by name) from checks
        where agent_id = any($1::uuid[])`,
      [made],
    );
  await speak(made);
  for (let looks = 0; looks < 4; looks += 1) {
    await speak([gone]);
    await pass(watch, MINUTE_MS);
  }
  expect(await states()).toMatch(/^gone healthy, lost unknown since .*: the agent lost is silent$/);
  expect(titles()).toEqual(['lost cannot see: 1 check is unknown']);
  expect(await db.text('select not_run_reason from checks where id = $1', [oldCheck])).toContain(
    'the agent old is silent',
  );
  await db.run('update agents set deleted_at = now() where id = any($1::uuid[])', [made]);
  for (let looks = 0; looks < 2; looks += 1) await pass(watch, MINUTE_MS);
  expect(await states()).toMatch(/^gone unknown since .*: the agent gone was deleted, lost unknown since /);
  expect(titles().slice(1)).toEqual([]);
  await close();
});

test('a machine that slept is one message', async () => {
  await setting.rule({ events: ['check.failed'], ...service() });
  const watch = watchOf(sightOf());
  await watch();
  sleptMs = 3 * 60 * MINUTE_MS;
  await pass(watch, sleptMs);
  await pass(watch, 5 * SECOND_MS);
  expect(titles()).toEqual(['north could not see for a while']);
  expect(bodies()[0]).toContain('its machine slept');
  await close();
});
