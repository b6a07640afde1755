/**
 * What makes an alert one that people trust, over real HTTP, encryption and mail: which device and which way, what each
 * says of it, who acknowledged, who wants quiet, and who may see whether somebody can be reached.
 */
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeTestCertificate } from '../../server/health/testing/test-certificate.ts';
import { NotificationSetting } from '../../server/notifications/testing/notification-setting-query.ts';
import { startLocalSmtp } from '../../server/notifications/testing/local-smtp.ts';
import type { NotificationService } from '../../server/notifications/notification-service.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { reachSchema, type Reach } from '../../src/contract/http/reach.ts';
import type { PushMessage, PushReceipt } from '../../src/contract/push.ts';
import { addComment, newIncident } from '../commands/support/incident-drafts.ts';
import { id, openDevice, type CommandDevice } from '../commands/support/command-device.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, startTestServer, type TestServer } from '../security/support/test-server.ts';
import { PushedBrowser, startPushStandIn, type PushStandIn } from './push-service-stand-in.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FAILED = 'check.failed';

let db: Database;
let server: TestServer;
let service: PushStandIn;
let smtp: Awaited<ReturnType<typeof startLocalSmtp>>;
let setting: NotificationSetting;
let notifications: NotificationService;
let bo: CommandDevice;
let phone: PushedBrowser;

beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
  const certificate = await makeTestCertificate(30);
  service = await startPushStandIn(certificate);
  smtp = await startLocalSmtp();
  server = await startTestServer(db, {
    egressAllow: ['127.0.0.1'],
    pushCa: certificate.ca,
    mailsPeople: true,
  });
  setting = new NotificationSetting(db, smtp.url);
  notifications = setting.process({ push: (asked) => server.backend.push.sendToPerson(asked) });
});
afterAll(async () => {
  await notifications.run(AbortSignal.abort());
  await setting.service.run(AbortSignal.abort());
  await server.stop();
  await service.stop();
  await smtp.close();
  await db.close();
});

beforeEach(async () => {
  smtp.mails.length = 0;
  setting.letters.length = 0;
  await setting.clear();
  bo = await openDevice(server, 'responder');
  phone = await subscribe(bo);
});
afterEach(() => db.run('delete from push_subscriptions'));

async function subscribe(device: CommandDevice): Promise<PushedBrowser> {
  const made = new PushedBrowser(service);
  expect((await device.browser.post('/api/push/subscriptions', made.subscription)).status).toBe(201);
  return made;
}
const settle = () => setting.settle(notifications);
const say = (receipt: PushReceipt, device = bo) => device.browser.post('/api/push/receipts', receipt);
const receiptOf = (message: PushMessage | undefined) => message?.receipt?.id ?? '';
const ruleForBo = (more: object = {}) => setting.rule({ events: [FAILED], person_id: bo.personId, ...more });
async function failing(name = 'api'): Promise<string> {
  const check = await setting.check(name);
  await setting.setCheck(check, 'unhealthy');
  await settle();
  return check;
}
const acknowledge = (check: string, more: object = {}) =>
  bo.apply({ name: 'acknowledge', args: { id: id(), kind: 'check', resourceId: check, ...more } });
async function flip(check: string): Promise<void> {
  await setting.setCheck(check, 'healthy');
  await setting.setCheck(check, 'unhealthy');
  await settle();
}

describe('a person', () => {
  test('is told by the device that was seen last, then by the others, then by mail, until one shows it', async () => {
    const tablet = await subscribe(await secondDeviceOf(bo));
    await lookedLongAgo(tablet);
    const rule = await ruleForBo();
    await failing();
    expect([phone.messages().length, tablet.messages().length, smtp.mails.length]).toEqual([1, 0, 0]);
    setting.advance(MINUTE_MS - 5000);
    await settle();
    expect(tablet.messages()).toEqual([]);
    setting.advance(6000);
    await settle();
    expect([phone.messages().length, tablet.messages().length, smtp.mails.length]).toEqual([1, 1, 0]);
    setting.advance(MINUTE_MS + 1000);
    await settle();
    await settle();
    expect([phone.messages().length, tablet.messages().length, smtp.mails.length]).toEqual([1, 1, 1]);
    setting.advance(HOUR_MS);
    await settle();
    expect(smtp.mails).toHaveLength(1);
    const mail = await PostalMime.parse(smtp.mails[0]?.raw ?? '');
    expect(mail.subject).toBe('Check api has failed');
    const [row] = await setting.history(rule);
    expect(row).toMatchObject({ status: 'sent' });
    expect(row?.attempts.map(({ outcome }) => outcome)).toEqual([
      'sent to the device that was seen last',
      'no device had confirmed: sent to the other devices',
      'no device had confirmed: sent by mail',
    ]);
  });

  test('whose device showed it gets nothing more; the history tells delivered, shown and acted on apart', async () => {
    const rule = await ruleForBo();
    await failing();
    const [message] = phone.messages();
    const told = async () => {
      const path = `/api/db/notification_send_history_summary?notification_id=eq.${rule}&select=receipts`;
      const rows = (await (await bo.browser.get(path)).json()) as {
        receipts: Record<string, string | null>[];
      }[];
      const { receipts: [one = {}] = [] } = rows[0] ?? {};
      return ['accepted_at', 'received_at', 'shown_at', 'acted_at'].filter(
        (step) => typeof one[step] === 'string',
      );
    };
    expect(await told()).toEqual(['accepted_at']);
    expect((await say({ step: 'received', id: receiptOf(message) })).status).toBe(204);
    expect(await told()).toEqual(['accepted_at', 'received_at']);
    expect((await say({ step: 'shown', id: receiptOf(message) })).status).toBe(204);
    expect(await told()).toEqual(['accepted_at', 'received_at', 'shown_at']);
    setting.advance(MINUTE_MS + 1000);
    await settle();
    expect([phone.messages().length, smtp.mails.length]).toEqual([1, 0]);
    await say({ step: 'acted', id: receiptOf(message), action: 'open' });
    expect(await told()).toHaveLength(4);
    // What another person says of it counts for nothing.
    const cy = await openDevice(server, 'responder');
    expect((await say({ step: 'shown', id: receiptOf(message) }, cy)).status).toBe(404);
  });

  test('whose device is gone or can not be asked is told by mail at once', async () => {
    await ruleForBo();
    phone.answer(410);
    await failing('gone');
    await settle();
    expect(smtp.mails).toHaveLength(1);
    phone = await subscribe(bo);
    phone.answer(503);
    await failing('away');
    await settle();
    expect(smtp.mails).toHaveLength(2);
  });

  test('whose device did not confirm has each try of the next way in the history', async () => {
    const rule = await ruleForBo();
    const send = () => Promise.reject(new Error('connect ECONNREFUSED'));
    const away = setting.process({
      push: (asked) => server.backend.push.sendToPerson(asked),
      mail: { send },
    });
    await failing();
    setting.advance(MINUTE_MS + 1000);
    await setting.settle(away);
    await away.run(AbortSignal.abort());
    setting.advance(HOUR_MS);
    await settle();
    expect(smtp.mails).toHaveLength(1);
    const [row] = await setting.history(rule);
    expect(row?.attempts.map(({ outcome }) => outcome)).toEqual([
      'sent to the device that was seen last',
      'The mail server could not be reached',
      'no device had confirmed: sent by mail',
    ]);
  });

  test('is offered on the lock screen what they may do', async () => {
    const viewer = await openDevice(server, 'viewer');
    const own = await subscribe(viewer);
    await ruleForBo();
    await setting.rule({ events: [FAILED], person_id: viewer.personId });
    const check = await failing();
    expect(phone.messages()).toMatchObject([
      { about: { kind: 'check', id: check }, url: `/health?layout=table&checkId=${check}&timeRange=1h` },
    ]);
    expect(own.messages()).toHaveLength(1);
    expect(own.messages()[0]).not.toHaveProperty('about');
  });

  test('has quiet until the hours are over, and hears what is urgent', async () => {
    const nowMs = setting.now();
    const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
    const quiet = { start: clock(nowMs - HOUR_MS), end: clock(nowMs + HOUR_MS), tz: 'UTC' };
    const settings = { push: true, mail: 'never', quiet, urgentPasses: true };
    expect((await bo.browser.post('/api/notifications/reach/settings', settings)).status).toBe(204);
    await ruleForBo();
    await ruleForBo({ properties: { urgent: 'true' } });
    await failing('one');
    await failing('two');
    expect(phone.messages().map(({ title }) => title)).toEqual([
      'Check one has failed',
      'Check two has failed',
    ]);
    setting.advance(HOUR_MS + MINUTE_MS);
    await settle();
    expect(
      phone
        .messages()
        .map(({ title }) => title)
        .slice(2),
    ).toEqual(['2 notifications: 2 × check.failed']);
  });

  test.each([
    ['no way left', { push: false, mail: 'never', quiet: null, urgentPasses: true }, 'mail'],
    [
      'a zone that is none',
      { push: true, mail: 'never', quiet: { start: '22:00', end: '07:00', tz: 'Mars' }, urgentPasses: true },
      'tz',
    ],
    [
      'no hours',
      { push: true, mail: 'never', quiet: { start: '22:00', end: '22:00', tz: 'UTC' }, urgentPasses: true },
      'end',
    ],
  ])('is refused settings with %s', async (_what, settings, field) => {
    const answer = await bo.browser.post('/api/notifications/reach/settings', settings);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(field);
  });
});

describe('a mention', () => {
  const SOON = { timeout: 20_000 };
  const counts = async (...browsers: PushedBrowser[]) => [
    ...browsers.map((browser) => browser.messages().length),
    (await server.mails(await emailOf(bo))).length,
  ];
  /** By somebody else, in an incident of its own. */
  async function mentionBo(): Promise<{ incidentId: string }> {
    const ada = await openDevice(server, 'responder');
    const ids = await newIncident(ada);
    await ada.apply(addComment(ids, id(), `ask @[Bo](user:${bo.personId})`));
    return ids;
  }
  const waits = (which = '') =>
    db.text(`select count(*)::text from push_messages where ended_at is null and person_id = $1 ${which}`, [
      bo.personId,
    ]);
  /** The minute is over in which the way before could have confirmed; answers once a step was taken. */
  async function nextWay(step: string): Promise<void> {
    // The server takes steps, too: one that it is at would be taken at the later time.
    await expect.poll(() => waits('and next_attempt_at <= now()'), SOON).toBe('0');
    server.advance(MINUTE_MS + 1000);
    await server.direct.deliverDue(new AbortController().signal);
    await expect.poll(() => waits(), SOON).toBe(step === 'over' ? '0' : '1');
  }

  test('comes by one way after the other, too: the device seen last, the others, then mail', async () => {
    const tablet = await subscribe(await secondDeviceOf(bo));
    await lookedLongAgo(tablet);
    await mentionBo();
    await expect.poll(() => phone.messages().length, SOON).toBe(1);
    expect(await counts(phone, tablet)).toEqual([1, 0, 0]);
    await nextWay('goes on');
    await expect.poll(() => counts(phone, tablet), SOON).toEqual([1, 1, 0]);
    await nextWay('over');
    expect(await counts(phone, tablet)).toEqual([1, 1, 1]);
    const [mail] = await server.mails(await emailOf(bo));
    expect(mail?.text).toMatch(/mentioned you[^]*Open: http[^ ]*\/incidents\//);
  });

  test('that a device showed, or that was read meanwhile, goes no other way', async () => {
    await mentionBo();
    await expect.poll(() => phone.messages().length, SOON).toBe(1);
    expect((await say({ step: 'shown', id: receiptOf(phone.messages()[0]) })).status).toBe(204);
    await nextWay('over');
    const { incidentId } = await mentionBo();
    await expect.poll(() => phone.messages().length, SOON).toBe(2);
    const readAt = new Date(Date.now() + HOUR_MS).toISOString();
    await bo.apply({ name: 'mark_incident_read', args: { id: id(), incidentId, readAt } });
    await nextWay('over');
    expect(await counts(phone)).toEqual([2, 0]);
    // What is said of it afterwards still counts, and is no test of the device.
    expect((await say({ step: 'acted', id: receiptOf(phone.messages()[1]), action: 'open' })).status).toBe(
      204,
    );
    const receipts = `select count(*)::text from push_receipts where message_id is not null and person_id = $1`;
    expect(await db.text(receipts, [bo.personId])).toBe('2');
  });

  test('comes by mail to who has no device or wants none, once they had a minute to read it', async () => {
    await db.run('delete from push_subscriptions');
    await mentionBo();
    await server.direct.deliverDue(new AbortController().signal);
    expect(await counts()).toEqual([0]);
    await nextWay('over');
    expect(await counts()).toEqual([1]);
    phone = await subscribe(bo);
    const settings = { push: false, mail: 'unconfirmed', quiet: null, urgentPasses: true };
    expect((await bo.browser.post('/api/notifications/reach/settings', settings)).status).toBe(204);
    await mentionBo();
    await server.direct.deliverDue(new AbortController().signal);
    await nextWay('over');
    expect(await counts(phone)).toEqual([0, 2]);
  });
});

describe('what somebody acknowledged', () => {
  test('is not told of again until it was well', async () => {
    const rule = await ruleForBo();
    const check = await failing();
    await acknowledge(check, { messageId: receiptOf(phone.messages()[0]) });
    // Acting on it is having seen it.
    setting.advance(MINUTE_MS + 1000);
    await settle();
    expect(smtp.mails).toEqual([]);
    await db.run(
      `insert into notification_events (name, about) values ($1, jsonb_build_object('id', $2::text))`,
      [FAILED, check],
    );
    await settle();
    expect(phone.messages()).toHaveLength(1);
    expect((await setting.history(rule)).at(-1)).toMatchObject({
      status: 'silenced',
      reason: expect.stringMatching(/^acknowledged by Test User/) as string,
    });
    await flip(check);
    expect(phone.messages()).toHaveLength(2);
    expect(await db.text('select end_reason from acknowledgements where resource_id = $1', [check])).toBe(
      'well',
    );
  });

  test('in the app goes no further way: no mail a minute later', async () => {
    const rule = await ruleForBo();
    await acknowledge(await failing());
    setting.advance(MINUTE_MS + 1000);
    await settle();
    expect([phone.messages().length, smtp.mails.length]).toEqual([1, 0]);
    const [row] = await setting.history(rule);
    expect(row?.attempts.at(-1)?.outcome).toMatch(/^acknowledged by Test User \d+: goes no further$/);
  });

  test('late, from a device without a network, is not what failed anew since', async () => {
    const check = await failing();
    const args = { id: id(), kind: 'check', resourceId: check };
    const draft = { name: 'acknowledge', args, writtenAt: new Date(Date.now() - HOUR_MS).toISOString() };
    expect(await bo.send(draft)).toMatchObject({ kind: 'refused', code: 'precondition_failed' });
    await db.run(`update checks set last_transition_time = now() - interval '2 hours' where id = $1`, [
      check,
    ]);
    expect(await bo.send(draft)).toMatchObject({ kind: 'applied' });
  });

  test('with a stated end is quiet through everything, and then says that the end has come', async () => {
    await ruleForBo();
    const check = await failing();
    const until = new Date(setting.now() + HOUR_MS).toISOString();
    await acknowledge(check, { until, messageId: receiptOf(phone.messages()[0]) });
    await flip(check);
    expect(phone.messages()).toHaveLength(1);
    setting.advance(HOUR_MS + 1000);
    await settle();
    const last = phone.messages().at(-1);
    expect(phone.messages()).toHaveLength(2);
    expect(last?.title).toBe('Check api has failed');
    expect(last?.body).toMatch(/It is still so, and Test User \d+’s snooze is over\./);
    // A rule of their own tells them: no letter besides.
    expect(setting.letters).toEqual([]);
    // One that rests for a while tells nobody: they hear of it all the same.
    await db.run('update notifications set is_paused = true where deleted_at is null');
    const third = await failing('web');
    await acknowledge(third, { until: new Date(setting.now() + HOUR_MS).toISOString() });
    setting.advance(HOUR_MS + 1000);
    await settle();
    expect(setting.letters.splice(0).map(({ subject }) => subject)).toEqual([
      'Your snooze is over, and it is still so: web',
    ]);
    await db.run('update notifications set is_paused = false where deleted_at is null');
    // One that is well by then says that, too, to who snoozed it.
    const other = await setting.check('db');
    await setting.setCheck(other, 'unhealthy');
    await acknowledge(other, { until: new Date(setting.now() + HOUR_MS).toISOString() });
    await setting.setCheck(other, 'healthy');
    setting.advance(HOUR_MS + 1000);
    await settle();
    expect(setting.letters.map(({ subject }) => subject)).toEqual([
      'Your snooze is over, and it is well: db',
    ]);
  });

  test('by its incident is known, too, and taking it back tells again', async () => {
    await ruleForBo();
    const check = await failing();
    const [incidentId, rootHypothesisId, acknowledgement] = [id(), id(), id()];
    await bo.apply(
      { name: 'create_incident', args: { id: incidentId, rootHypothesisId, title: 'Shop is slow' } },
      {
        name: 'add_evidence',
        args: {
          id: id(),
          incidentId,
          hypothesisId: rootHypothesisId,
          type: 'check',
          check_id: check,
          evidence: {},
        },
      },
      { name: 'acknowledge', args: { id: acknowledgement, kind: 'incident', resourceId: incidentId } },
    );
    await flip(check);
    expect(phone.messages()).toHaveLength(1);
    await bo.apply({
      name: 'end_acknowledgement',
      args: { id: acknowledgement, kind: 'incident', resourceId: incidentId },
    });
    await flip(check);
    expect(phone.messages()).toHaveLength(2);
  });

  test('is refused to viewers, for what is gone, and for longer than a month; what is well needs none', async () => {
    const check = await failing();
    const viewer = await openDevice(server, 'viewer');
    const args = { id: id(), kind: 'check', resourceId: check };
    const far = new Date(setting.now() + 40 * 24 * HOUR_MS).toISOString();
    const outcomes = [
      await viewer.send({ name: 'acknowledge', args }),
      await bo.send({ name: 'acknowledge', args: { ...args, resourceId: id() } }),
      await bo.send({ name: 'acknowledge', args: { ...args, until: far } }),
    ];
    expect(outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.code : outcome.kind))).toEqual([
      'forbidden',
      'gone',
      'invalid',
    ]);
    await setting.setCheck(check, 'healthy');
    await acknowledge(check);
    expect(await db.text('select count(*)::text from acknowledgements where resource_id = $1', [check])).toBe(
      '0',
    );
  });
});

describe('whether somebody can be reached', () => {
  const reachOf = async (device: CommandDevice): Promise<Reach> =>
    reachSchema.parse(await (await device.browser.get('/api/notifications/reach')).json());

  test('is seen by themselves, and by who leads their team, not by another member', async () => {
    const [lead, cy] = [await openDevice(server, 'editor'), await openDevice(server, 'commander')];
    const team = await setting.id(`insert into teams (name, created_by) values ($1, $2) returning id`, [
      `Payments ${id()}`,
      lead.personId,
    ]);
    for (const device of [bo, lead])
      await db.run('insert into team_members (team_id, person_id) values ($1, $2)', [team, device.personId]);
    const own = await reachOf(bo);
    expect(own).toMatchObject({ own: { devices: 1, test: null }, teams: [] });
    const [device] = own.devices;
    const test = bo.browser.post(`/api/notifications/reach/devices/${device?.id ?? ''}/test`, {});
    await expect.poll(() => phone.messages().length, { timeout: 20_000 }).toBe(1);
    await say({ step: 'shown', id: receiptOf(phone.messages()[0]) });
    expect(await (await test).json()).toEqual({ isShown: true });
    expect((await reachOf(bo)).own.test).toMatchObject({ isShown: true });
    const people = (await reachOf(lead)).teams.find((one) => one.id === team)?.people ?? [];
    expect(people.find((person) => person.id === bo.personId)?.facts).toMatchObject({
      devices: 1,
      test: { isShown: true },
    });
    // A commander of another team sees nothing of this one, nor tests a device that is not theirs.
    expect((await reachOf(cy)).teams).toEqual([]);
    const foreign = await cy.browser.post(`/api/notifications/reach/devices/${device?.id ?? ''}/test`, {});
    expect(foreign.status).toBe(404);
  });
});

const lookedLongAgo = (browser: PushedBrowser) =>
  db.run(
    `update identity_sessions set last_seen_at = now() - interval '1 hour'
      where id = (select session_id from push_subscriptions where endpoint = $1)`,
    [browser.subscription.endpoint],
  );

const emailOf = async (device: CommandDevice) =>
  (await db.text('select email from people where id = $1', [device.personId])) ?? '';

/** The same person, signed in elsewhere. */
async function secondDeviceOf(device: CommandDevice): Promise<CommandDevice> {
  const email = await emailOf(device);
  const browser = openTestBrowser(server.url);
  await browser.signIn(email, PASSWORD);
  return { ...device.twin(), browser };
}
