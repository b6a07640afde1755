/** Silences and retries through the outbox's way of commands, and the route of the contract with the same checks. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { id, openDevice, type CommandDevice } from '../commands/support/command-device.ts';
import { seedCheck } from '../commands/support/check-seed-query.ts';
import { addFailedNotification } from '../commands/support/notification-seed-query.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';

const HOUR_MS = 3_600_000;
const NIGHT = { start: '22:00', end: '06:00', days: ['sat'], tz: 'Europe/Berlin' };
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

let server: TestServer;
let device: CommandDevice;
let checkId: string;

beforeAll(async () => {
  const db = await openMigratedDatabase('postgres');
  server = await startTestServer(db);
  device = await openDevice(server, 'editor');
  checkId = await seedCheck(db);
});
afterAll(() => server.stop());

const silence = (args: object) => ({
  name: 'create_silence',
  args: { silenceId: id(), from: inMs(-1000), until: inMs(HOUR_MS), ...args },
});
const rowOf = async (table: string, rowId: string) => {
  const answer = await device.browser.get(`/api/db/${table}?id=eq.${rowId}`);
  return ((await answer.json()) as Record<string, unknown>[])[0];
};

describe('create_silence', () => {
  test('makes the silence with all that it says, by its sender', async () => {
    const draft = silence({
      check_id: checkId,
      selector: 'tier=gold',
      filter: 'check.type == "http"',
      recurrence: [NIGHT],
      description: 'deploy',
    });
    expect(await device.send(draft)).toMatchObject({ kind: 'applied' });
    expect(await rowOf('notification_silences', draft.args.silenceId)).toMatchObject({
      check_id: checkId,
      selector: 'tier=gold',
      filter: 'check.type == "http"',
      recurrence: [NIGHT],
      description: 'deploy',
      source: 'UI',
      created_by: device.personId,
    });
  });

  test.each([
    ['names nothing', {}, 'invalid', 'name what to silence'],
    ['has labels that can not be read', { selector: 'a in (b' }, 'invalid', 'selector: '],
    ['has an expression that can not be read', { filter: 'check.name ==' }, 'invalid', 'filter: '],
    [
      'has hours in no zone',
      { selector: 'a', recurrence: [{ ...NIGHT, tz: 'Mars' }] },
      'invalid',
      'recurrence[0]: ',
    ],
    ['ends before it begins', { selector: 'a', from: inMs(2 * HOUR_MS) }, 'invalid', 'until: '],
    ['is about nothing that is there', { config_id: id() }, 'gone', 'config_id: '],
    [
      'was kept until it was over',
      { selector: 'a', from: inMs(-HOUR_MS), until: inMs(-1000) },
      'expired',
      'over',
    ],
  ])('that %s is refused with the reason', async (_what, args, code, message) => {
    const outcome = await device.send(silence(args));
    expect(outcome).toMatchObject({ kind: 'refused', code });
    expect(outcome.kind === 'refused' ? outcome.message : '').toContain(message);
  });

  test('that its author wanted at once is not made late', async () => {
    const draft = { ...silence({ selector: 'late=yes' }), expiresAt: inMs(-1) };
    expect(await device.send(draft)).toMatchObject({ kind: 'refused', code: 'expired' });
    expect(await rowOf('notification_silences', draft.args.silenceId)).toBeUndefined();
  });
});

describe('the route of the contract', () => {
  const post = (body: object) => device.browser.post('/api/notification/silence', body);

  test('takes what the form takes, and refuses what it refuses', async () => {
    const good = await post({ selector: 'route=yes', recurrence: [NIGHT], from: 'now', until: 'now+2d' });
    expect([good.status, await good.text()]).toEqual([200, '']);
    const found = await device.browser.get('/api/db/notification_silences?selector=eq.route%3Dyes');
    expect(await found.json()).toMatchObject([{ selector: 'route=yes', recurrence: [NIGHT], filter: null }]);
    for (const [wrong, field] of [
      [{ filter: '1 +' }, 'filter'],
      [{ selector: 'a in (' }, 'selector'],
      [{ selector: 'a', recurrence: [{ start: '9', end: '10' }] }, 'recurrence'],
      [{}, 'config_id'],
    ] as const) {
      const answer = await post({ ...wrong, from: 'now', until: 'now+2d' });
      expect([answer.status, field]).toEqual([400, field]);
      expect(await answer.text()).toContain(field);
    }
  });

  test('so does the data API, and the database itself', async () => {
    const base = { namespace: '', from: inMs(0), until: inMs(HOUR_MS) };
    const answer = await device.browser.post('/api/db/notification_silences', base);
    expect(answer.status).toBe(400);
    await expect(
      server.db.run(
        `insert into notification_silences (namespace, "from", "until") values ('', now(), now() + interval '1 hour')`,
      ),
    ).rejects.toThrow('notification_silences_named');
    await expect(
      server.db.run(
        `insert into notification_silences (namespace, selector, "from", "until")
           values ('', 'a', now(), now() - interval '1 hour')`,
      ),
    ).rejects.toThrow('notification_silences_times');
  });
});

const RULES = '../shared/fixtures/notifications/rules';

describe('a rule as it is given', () => {
  test.each(readdirSync(RULES))('%s is refused with what it lacks, and taken with it', async (file) => {
    const given = parse(readFileSync(`${RULES}/${file}`, 'utf8')) as {
      metadata: { name: string; namespace: string };
      spec: Record<string, unknown>;
    };
    const { name, namespace } = given.metadata;
    const row = { name, namespace, source: 'UI', ...given.spec };
    const refused = await device.browser.post('/api/db/notifications', row);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('name who is told: person_id, team_id or custom_services');
    const taken = await device.browser.post('/api/db/notifications', { ...row, person_id: device.personId });
    expect(taken.status).toBe(201);
    const found = await device.browser.get(
      `/api/db/notifications_summary?name=eq.${name}&select=events,error`,
    );
    expect(await found.json()).toEqual([{ events: given.spec['events'], error: null }]);
  });
});

describe('retry_notification', () => {
  test('sends what failed again, once', async () => {
    const historyId = await addFailedNotification(server.db);
    const draft = { name: 'retry_notification', args: { historyId } };
    expect(await device.send(draft)).toMatchObject({ kind: 'applied' });
    expect(await rowOf('notification_send_history', historyId)).toMatchObject({
      status: 'pending',
      error: null,
    });
    expect(await device.send(draft)).toMatchObject({ kind: 'refused', code: 'precondition_failed' });
  });
});
