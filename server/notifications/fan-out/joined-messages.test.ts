/** What comes in one message with others, also while that is begun: it is told of all the same, and nothing hides it. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startLocalServer, type LocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { FLOOD, FLOOD_RESTS_MS } from '../notification-service.ts';
import { NotificationSetting } from '../testing/notification-setting-query.ts';

const MINUTE_MS = 60_000;

/** The database, with something that happens before its next transaction. */
function interrupted(db: Database, between: () => Promise<void>): Database {
  let isDone = false;
  return {
    ...db,
    transaction: async (work) => {
      if (!isDone) {
        isDone = true;
        await between();
      }
      return db.transaction(work);
    },
  };
}

forEachDatabase((_name, openDatabase) => {
  let setting: NotificationSetting;
  let hook: LocalServer;
  let status = 200;
  beforeAll(async () => {
    hook = await startLocalServer(() => ({ body: 'ok', status }));
    setting = new NotificationSetting(await openDatabase());
  });
  afterAll(async () => {
    await setting.service.run(AbortSignal.abort());
    await hook.close();
  });
  beforeEach(async () => {
    status = 200;
    hook.asked.length = 0;
    await setting.clear();
  });

  const services = () => ({ custom_services: [{ name: 'hook', url: `${hook.url}/in` }] });
  const said = () => hook.asked.map(({ body }) => body).join('\n');
  const fail = async (name: string) =>
    setting.setCheck(await setting.check(name, { team: 'one' }), 'unhealthy');

  it('is in the next message where another server has begun the one it would have joined', async () => {
    const rule = await setting.rule({ events: ['check.failed'], group_by: ['label:team'], ...services() });
    await fail('first');
    await setting.settle();
    await fail('second');
    const late = setting.process({
      db: interrupted(setting.db, async () => {
        setting.advance(MINUTE_MS);
        await setting.sendDue();
      }),
    });
    await setting.settle(late);
    setting.advance(MINUTE_MS);
    await setting.settle();
    await late.run(AbortSignal.abort());
    expect(hook.asked).toHaveLength(2);
    expect(said()).toContain('first');
    expect(said()).toContain('second');
    expect((await setting.history(rule)).map((row) => row.status)).toEqual(['sent', 'sent']);
  });

  it('is in a message of its own where the one before failed and is sent again', async () => {
    const rule = await setting.rule({ events: ['check.failed'], group_by: ['label:team'], ...services() });
    status = 404;
    await fail('first');
    await setting.settle();
    setting.advance(MINUTE_MS);
    await setting.settle();
    await fail('second');
    await setting.settle();
    status = 200;
    hook.asked.length = 0;
    await setting.retry(rule);
    await fail('third');
    await setting.settle();
    setting.advance(MINUTE_MS);
    await setting.settle();
    for (const name of ['first', 'second', 'third']) expect(said()).toContain(name);
    expect((await setting.history(rule)).map((row) => row.status)).toEqual(['sent', 'sent', 'sent']);
  });

  it('waits for no event that came after it was due', async () => {
    await setting.rule({ events: ['check.failed'], ...services() });
    for (let at = 0; at < 7; at += 1) await fail(`check ${at}`);
    await setting.settle();
    expect(hook.asked).toHaveLength(5);
    // Events that keep coming and that nobody has taken yet: the digest is due before they happened.
    setting.advance(6000);
    await setting.db.run(
      `insert into notification_events (name, about, created_at) values ('check.failed', '{"id": "late"}', $1::timestamptz)`,
      [new Date(setting.now())],
    );
    await setting.sendDue();
    expect(hook.asked).toHaveLength(6);
    expect(said()).toContain('2 notifications');
  });

  it('leaves the processor to the devices after the first of a flood, and is then told of whole', async () => {
    const rule = await setting.rule({ events: ['check.failed'], ...services() });
    await setting.db.run(
      `with canary as (insert into canaries (name, namespace, spec) values ('flood', 'shop', '{}') returning id)
       insert into checks (canary_id, type, name, status) select id, 'http', 'flood ' || n, 'healthy'
         from canary, generate_series(1, $1::int) as n`,
      [FLOOD + 50],
    );
    await setting.db.run(`update checks set status = 'unhealthy' where name like 'flood %'`);
    const waiting = () => setting.db.text('select count(*)::text from notification_events');
    const leftAtRest: (string | null)[] = [];
    const ending = new AbortController();
    const platform = {
      ...nodePlatform,
      sleep: async (ms: number, signal?: AbortSignal) => {
        if (ms === FLOOD_RESTS_MS) leftAtRest.push(await waiting());
        else await nodePlatform.sleep(ms, signal);
      },
    };
    const running = setting.process({ platform }).run(ending.signal);
    await expect.poll(waiting, { timeout: 30_000 }).toBe('0');
    ending.abort();
    await running;
    expect(leftAtRest).toEqual(['50']);
    expect(await setting.history(rule)).toHaveLength(FLOOD + 50);
  });

  it('says of many things below one that is down what that one is: one message, whatever failed first', async () => {
    await setting.rule({ events: ['config.unhealthy'], ...services() });
    const top = await setting.config('core');
    for (let at = 0; at < 25; at += 1)
      await setting.setConfig(await setting.config(`leaf ${at}`, top), 'unhealthy');
    await setting.setConfig(top, 'unhealthy');
    await setting.settle();
    setting.advance(MINUTE_MS);
    await setting.settle();
    expect(hook.asked).toHaveLength(1);
    expect(said()).toContain('Kubernetes::Node core is unhealthy, and 25 below it');
    expect(said()).toContain(`https://holdfast.example/catalog/${top}`);
  });

  it('is in a digest after the time to wait where it is still so, however many there are', async () => {
    const waits = { wait_for: 5 * MINUTE_MS * 1_000_000 };
    const rule = await setting.rule({ events: ['check.failed'], ...waits, ...services() });
    await setting.db.run(
      `with canary as (insert into canaries (name, namespace, spec) values ('slow', 'x', '{}') returning id)
       insert into checks (canary_id, type, name, status) select id, 'http', 'slow ' || n, 'healthy'
         from canary, generate_series(1, 40) as n`,
    );
    await setting.db.run(`update checks set status = 'unhealthy' where name like 'slow %'`);
    await setting.settle();
    await setting.db.run(`update checks set status = 'healthy' where name in ('slow 7', 'slow 11')`);
    // Nobody can see this one: that is no reason to say nothing of it.
    await setting.db.run(
      `update checks set status = null, seen_status = 'unhealthy', blind_since = now() where name = 'slow 3'`,
    );
    setting.advance(6 * MINUTE_MS);
    await setting.settle();
    const found = (await setting.history(rule)).map((row) => row.status);
    expect(found.filter((status) => status === 'sent')).toHaveLength(38);
    expect(found.filter((status) => status === 'cancelled')).toHaveLength(2);
  });
});
