/** 10,000 checks that fail at once, with a rule that tells a service: how long until its digest has arrived. */
import { startLocalServer } from '../../server/catalog/scrapers/testing/local-server.ts';
import { NotificationSetting } from '../../server/notifications/testing/notification-setting-query.ts';
import type { Database } from '../../server/platform/db/database.ts';
import type { Bench } from '../core/bench.ts';
import { withDatabase } from './bench-database.ts';
import { addChecks, turnAll } from './storm-checks-query.ts';

const RUNS = 3;
/** After this the storm counts as lost. */
const LONGEST_MS = 60_000;
/** Every way that what was told of before counts no more. */
const FORGET = ['notification_send_history', 'notification_deliveries', 'notification_events'];

/**
 * Until nothing of the storm before is on its way: a batch that is written after it was forgotten leaves a digest that
 * is open and due minutes later, and what comes joins that one.
 */
async function quiet(db: Database): Promise<void> {
  const isBusy = `select (exists (select from notification_events)
    or exists (select from notification_deliveries where state = 'queued'))::text`;
  const begunAt = performance.now();
  while ((await db.text(isBusy)) === 'true') {
    if (performance.now() - begunAt > LONGEST_MS) throw new Error('the storm before is not over');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** ms from the change to the message that has the rest; how many messages came until then. */
async function storm(setting: NotificationSetting, titles: () => string[]) {
  await quiet(setting.db);
  for (const table of FORGET) await setting.db.run(`delete from ${table}`);
  await turnAll(setting.db, 'healthy');
  await setting.db.run('delete from notification_events');
  const before = titles().length;
  const begunAt = performance.now();
  await turnAll(setting.db, 'unhealthy');
  const hasDigest = () =>
    titles()
      .slice(before)
      .some((title) => title.includes('notifications:'));
  while (!hasDigest() && performance.now() - begunAt < LONGEST_MS)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return { ms: performance.now() - begunAt, messages: titles().length - before };
}

/** On the default database. */
export async function measureStorm(bench: Bench): Promise<void> {
  await withDatabase('postgres', async (db) => {
    const hook = await startLocalServer(() => ({ body: 'ok' }));
    const titles = () => hook.asked.map(({ body }) => (JSON.parse(body) as { title: string }).title);
    const setting = new NotificationSetting(db);
    await setting.clear();
    const stopping = new AbortController();
    const running = setting.service.run(stopping.signal);
    try {
      await setting.rule({
        events: ['check.failed'],
        custom_services: [{ name: 'hook', url: `${hook.url}/in` }],
      });
      await addChecks(db);
      await bench.measure(['storm digest', 'storm messages'], RUNS, async () => {
        const { ms, messages } = await storm(setting, titles);
        return { 'storm digest': ms, 'storm messages': messages };
      });
    } finally {
      stopping.abort();
      await running;
      await hook.close();
    }
  });
}
