/** Between an event and what is sent of it minutes may pass: what somebody silenced or acknowledged in them is not told. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  startLocalServer,
  type Answered,
  type LocalServer,
} from '../../catalog/scrapers/testing/local-server.ts';
import type { Database } from '../../platform/db/database.ts';
import { openMigratedDatabase } from '../../platform/db/test-databases.ts';
import { NotificationSetting } from '../testing/notification-setting-query.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WAITS = { wait_for: 5 * MINUTE_MS * 1_000_000 };

let db: Database;
let setting: NotificationSetting;
let hook: LocalServer;
let ada: string;
const answers: Answered[] = [];

beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
  hook = await startLocalServer(() => answers.shift() ?? { body: 'ok' });
  setting = new NotificationSetting(db);
  ada = await setting.person();
});
afterAll(async () => {
  await setting.service.run(AbortSignal.abort());
  await hook.close();
  await db.close();
});
beforeEach(async () => {
  hook.asked.length = 0;
  await setting.clear();
  await db.run(
    `update acknowledgements set ended_at = now(), end_reason = 'taken back' where ended_at is null`,
  );
  setting.stopClock();
});

const services = () => ({
  events: ['check.failed'],
  custom_services: [{ name: 'hook', url: `${hook.url}/in` }],
});
const statuses = async (rule: string) => (await setting.history(rule)).map(({ status }) => status);
async function failing(name: string): Promise<string> {
  const check = await setting.check(name);
  await setting.setCheck(check, 'unhealthy');
  return check;
}
const acknowledge = (check: string) =>
  db.run(`insert into acknowledgements (kind, resource_id, person_id) values ('check', $1, $2)`, [
    check,
    ada,
  ]);
const silence = (column: 'check_id' | 'filter', value: string) =>
  db.run(
    `insert into notification_silences (namespace, ${column}, "from", "until") values ('', $1, $2, $3)`,
    [value, new Date(setting.now() - 1), new Date(setting.now() + HOUR_MS)],
  );

test('what is silenced or acknowledged while its rule waits is not sent, and the history says why', async () => {
  const rule = await setting.rule({ ...services(), ...WAITS });
  const [own, worded, known] = [await failing('own'), await failing('worded'), await failing('known')];
  await failing('loud');
  await setting.settle();
  expect(await statuses(rule)).toEqual(Array(4).fill('pending'));
  await silence('check_id', own);
  await silence('filter', 'check.name == "worded"');
  await acknowledge(known);
  setting.advance(6 * MINUTE_MS);
  await setting.settle();
  expect(hook.asked.map(({ body }) => (JSON.parse(body) as { title: string }).title)).toEqual([
    'Check loud has failed',
  ]);
  const rows = await setting.history(rule);
  const reasonOf = (id: string) => rows.find((row) => row.resource_id === id);
  expect(reasonOf(own)).toMatchObject({
    status: 'silenced',
    reason: expect.stringMatching(/^silence /) as string,
  });
  expect(reasonOf(worded)).toMatchObject({ status: 'silenced' });
  expect(reasonOf(known)).toMatchObject({ status: 'silenced', reason: 'acknowledged by Ada' });
});

test('a list leaves out what is known by then, and comes all the same', async () => {
  const rule = await setting.rule({ ...services(), ...WAITS, group_by: ['namespace'] });
  const checks = [await failing('one'), await failing('two'), await failing('three')];
  await setting.settle();
  await acknowledge(checks[1] ?? '');
  setting.advance(6 * MINUTE_MS);
  await setting.settle();
  expect(hook.asked).toHaveLength(1);
  expect(hook.asked[0]?.body).toContain('2 notifications: 2 × check.failed');
  expect((await statuses(rule)).toSorted()).toEqual(['sent', 'sent', 'silenced']);
});

test('what a service put off is not tried again once it is known, but by who sends it again', async () => {
  const rule = await setting.rule(services());
  answers.push({ status: 503, body: 'away' }, { status: 403, body: 'no' });
  const [away, refused] = [await failing('away'), await failing('refused')];
  await setting.settle();
  for (const check of [away, refused]) await acknowledge(check);
  setting.advance(MINUTE_MS);
  await setting.settle();
  expect(hook.asked).toHaveLength(2);
  expect((await statuses(rule)).toSorted()).toEqual(['error', 'silenced']);
  await setting.retry(rule);
  await setting.settle();
  expect(hook.asked).toHaveLength(3);
  expect((await statuses(rule)).toSorted()).toEqual(['sent', 'silenced']);
});
