/** The flow of schema §7.1 on both databases, over real HTTP and SMTP: from an event to a message, once. */
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  startLocalServer,
  type Answered,
  type LocalServer,
} from '../catalog/scrapers/testing/local-server.ts';
import { dueKeys } from '../platform/jobs/lease-queue-query.ts';
import { forEachDatabase } from '../platform/db/test-databases.ts';
import { DELIVERY_TABLE } from './delivery/delivery-query.ts';
import { startLocalSmtp } from './testing/local-smtp.ts';
import { NotificationSetting } from './testing/notification-setting-query.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FAILED = 'check.failed';

forEachDatabase((_name, openDatabase) => {
  let setting: NotificationSetting;
  let hook: LocalServer;
  let smtp: Awaited<ReturnType<typeof startLocalSmtp>>;
  const answers: Answered[] = [];

  beforeAll(async () => {
    smtp = await startLocalSmtp();
    hook = await startLocalServer(() => answers.shift() ?? { body: 'ok' });
    setting = new NotificationSetting(await openDatabase(), smtp.url);
  });
  afterAll(async () => {
    await setting.service.run(AbortSignal.abort());
    await hook.close();
    await smtp.close();
  });
  beforeEach(async () => {
    answers.length = 0;
    hook.asked.length = 0;
    smtp.mails.length = 0;
    await setting.clear();
    setting.stopClock();
  });

  const services = (more: object = {}) => ({
    custom_services: [{ name: 'hook', url: `${hook.url}/in`, ...more }],
  });
  const told = () =>
    hook.asked.map(({ body }) => (JSON.parse(body) as { title: string; message: string }).title);
  const statuses = async (rule: string) => (await setting.history(rule)).map(({ status }) => status);

  describe('an event', () => {
    it('reaches a service once, with what happened and where to look', async () => {
      const rule = await setting.rule({ events: [FAILED], ...services() });
      const check = await setting.check('api', { tier: 'gold' });
      await setting.setCheck(check, 'unhealthy');
      await setting.settle();
      await setting.settle();
      expect(told()).toEqual(['Check api has failed']);
      const body = JSON.parse(hook.asked[0]?.body ?? '') as { message: string; links: { url: string }[] };
      expect(body.message).toContain('connection refused');
      expect(body.message).toContain('Labels: tier=gold');
      expect(body.links.map(({ url }) => url)).toEqual([
        `https://holdfast.example/health?layout=table&checkId=${check}&timeRange=1h`,
        `https://holdfast.example/notifications/silences/add?check_id=${check}`,
      ]);
      expect(await setting.history(rule)).toMatchObject([
        {
          status: 'sent',
          source_event: FAILED,
          recipient: 'hook',
          attempts: [{ outcome: 'sent' }],
          error: null,
        },
      ]);
      await setting.setCheck(check, 'healthy');
      await setting.settle();
      expect(hook.asked).toHaveLength(1);
    });

    it('reaches a person by mail, with a title and a body of the rule’s own', async () => {
      const person = await setting.person('ann@example.com');
      await setting.rule({
        events: ['config.unhealthy'],
        person_id: person,
        title: '{{.config.name}} $(config.type == "Kubernetes::Node" ? "node" : "item")',
        template: 'Now {{.new_state}}. $(permalink)',
      });
      const config = await setting.config('db {{.x}} $(1 + 1)');
      await setting.setConfig(config, 'unhealthy');
      await setting.settle();
      const mail = await PostalMime.parse(smtp.mails[0]?.raw ?? '');
      expect(smtp.mails.map(({ to }) => to)).toEqual([['ann@example.com']]);
      expect(mail.subject).toBe('db {{.x}} $(1 + 1) node');
      expect(mail.text).toContain(`Now unhealthy. https://holdfast.example/catalog/${config}`);
    });

    it('reaches each of a team’s notifications, with what is kept of them apart', async () => {
      const person = await setting.person();
      const spec = {
        notifications: [
          { name: 'chat', url: `${hook.url}/team?token=verysecrettoken1` },
          `${hook.url}/plain`,
        ],
      };
      const team = await setting.id(
        `insert into teams (name, spec, created_by) values ('t', $1::jsonb, $2) returning id`,
        [JSON.stringify(spec), person],
      );
      expect(await setting.db.text('select spec::text from teams where id = $1', [team])).not.toContain(
        'verysecret',
      );
      const rule = await setting.rule({ events: [FAILED], team_id: team });
      await setting.setCheck(await setting.check('api'), 'unhealthy');
      await setting.settle();
      const paths = hook.asked.map(({ url }) => `${url.pathname}${url.search}`);
      expect(paths.toSorted()).toEqual(['/plain', '/team?token=verysecrettoken1']);
      expect(await statuses(rule)).toEqual(['sent', 'sent']);
      // A team that has none is no silence: the history says so, and sends it once the team has one.
      const deaf = await setting.id(`insert into teams (name, created_by) values ('deaf', $1) returning id`, [
        person,
      ]);
      const late = await setting.rule({ events: ['check.passed'], team_id: deaf });
      await setting.setCheck(await setting.check('web'), 'unhealthy');
      await setting.db.run(`update checks set status = 'healthy' where name = 'web'`);
      await setting.settle();
      expect(await setting.history(late)).toMatchObject([
        { status: 'error', error: expect.stringContaining('the team is told nowhere') },
      ]);
      await setting.db.run('update teams set spec = $2::jsonb where id = $1', [
        deaf,
        JSON.stringify({ notifications: [`${hook.url}/at-last`] }),
      ]);
      await setting.retry(late);
      await setting.settle();
      expect(hook.asked.at(-1)?.url.pathname).toBe('/at-last');
      expect(await statuses(late)).toEqual(['sent']);
    });

    it('is for those whose filter is true; a filter that fails rests the rule until somebody edits it, and its author hears of it once', async () => {
      const rule = await setting.rule({
        events: [FAILED],
        filter: 'check.labels.tier == "gold"',
        custom_services: [
          { name: 'all', url: `${hook.url}/all` },
          { name: 'other', url: `${hook.url}/other`, filter: 'check.name == "other"' },
        ],
      });
      const author = await setting.person('author-of-rule@example.com');
      const filtered = {
        events: [FAILED],
        filter: 'check.nothing.here',
        title: 'Nothing',
        created_by: author,
      };
      const broken = await setting.rule({ ...filtered, ...services() });
      await setting.setCheck(await setting.check('plain', { tier: 'tin' }), 'unhealthy');
      await setting.setCheck(await setting.check('gold', { tier: 'gold' }), 'unhealthy');
      await setting.settle();
      expect(hook.asked.map(({ url }) => url.pathname)).toEqual(['/all']);
      expect(await statuses(rule)).toEqual(['sent']);
      expect(await statuses(broken)).toEqual([]);
      const error = () =>
        setting.db.text(`select coalesce(error, '') from notifications where id = $1`, [broken]);
      expect(await error()).toContain('filter:');
      expect(setting.letters.splice(0)).toEqual([
        { to: 'author-of-rule@example.com', subject: 'A rule of notifications rests: Nothing' },
      ]);
      await setting.db.run(`update notifications set filter = 'true' where id = $1`, [broken]);
      expect(await error()).toBe('');
    });

    it('is told of again only after the repeat interval; what was held back counts up', async () => {
      const rule = await setting.rule({ events: [FAILED], repeat_interval: '1h', ...services() });
      const check = await setting.check('api');
      const fail = async () => {
        await setting.setCheck(check, 'healthy');
        await setting.setCheck(check, 'unhealthy');
        await setting.settle();
      };
      for (let round = 0; round < 3; round += 1) await fail();
      expect(hook.asked).toHaveLength(1);
      expect(await setting.history(rule)).toMatchObject([
        { status: 'sent' },
        { status: 'repeat-interval', count: 2, reason: 'told of within 1h' },
      ]);
      setting.advance(HOUR_MS + MINUTE_MS);
      await fail();
      expect(hook.asked).toHaveLength(2);
    });

    it('is told in words that know the kind of service', async () => {
      await setting.db.run(
        `insert into connections (name, namespace, type, url) values ('chat', 'default', 'slackwebhook', $1)`,
        [`${hook.url}/chat`],
      );
      await setting.rule({
        events: [FAILED],
        template: 'by {{.channel}}',
        custom_services: [{ connection: 'chat' }, { url: `${hook.url}/in` }],
      });
      await setting.setCheck(await setting.check('api'), 'unhealthy');
      await setting.settle();
      const said = new Map(hook.asked.map(({ url, body }) => [url.pathname, body]));
      expect(said.get('/chat')).toContain('by slack');
      expect(said.get('/in')).toContain('by generic');
    });

    it('that was to be waited for is told of only while it is still so', async () => {
      const waits = { wait_for: 5 * MINUTE_MS * 1_000_000 };
      const rule = await setting.rule({ events: ['config.unhealthy'], ...waits, ...services() });
      const [brief, long] = [await setting.config('brief'), await setting.config('long')];
      await setting.setConfig(brief, 'unhealthy');
      await setting.setConfig(long, 'unhealthy');
      await setting.settle();
      expect(await statuses(rule)).toEqual(['pending', 'pending']);
      await setting.setConfig(brief, 'healthy');
      setting.advance(6 * MINUTE_MS);
      await setting.settle();
      expect(told()).toEqual(['Kubernetes::Node long is unhealthy']);
      expect((await statuses(rule)).toSorted()).toEqual(['cancelled', 'sent']);
    });
  });

  describe('a message', () => {
    it('to somebody whose account is switched off is not sent, and says so', async () => {
      const person = await setting.person('left@example.com');
      await setting.db.run(
        `insert into identities (id, state, traits) values ($1, 'inactive', '{"email": "left@example.com"}')`,
        [person],
      );
      const rule = await setting.rule({ events: [FAILED], person_id: person });
      await setting.setCheck(await setting.check('api'), 'unhealthy');
      await setting.settle();
      expect(smtp.mails).toEqual([]);
      expect(await setting.history(rule)).toMatchObject([
        { status: 'error', error: expect.stringContaining('switched off') },
      ]);
    });

    it('comes again when the service asks for it, and its end is in the history', async () => {
      const rule = await setting.rule({ events: [FAILED], ...services() });
      answers.push({ status: 429, body: 'slow', headers: { 'retry-after': '120' } });
      await setting.setCheck(await setting.check('api'), 'unhealthy');
      await setting.settle();
      setting.advance(MINUTE_MS);
      await setting.settle();
      expect(hook.asked).toHaveLength(1);
      expect(await setting.history(rule)).toMatchObject([{ status: 'pending', error: null }]);
      setting.advance(2 * MINUTE_MS);
      await setting.settle();
      const keys = hook.asked.map(({ headers }) => headers['idempotency-key']);
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
      const [row] = await setting.history(rule);
      expect(row).toMatchObject({ status: 'sent' });
      expect(row?.attempts.map(({ outcome }) => outcome)).toEqual([expect.stringContaining('429'), 'sent']);
    });

    it('that is refused for good says why', async () => {
      const rule = await setting.rule({ events: [FAILED], ...services() });
      answers.push({ status: 403, body: { error: 'who are you' } });
      await setting.setCheck(await setting.check('api'), 'unhealthy');
      await setting.settle();
      const [row] = await setting.history(rule);
      expect(row).toMatchObject({
        status: 'error',
        error: expect.stringContaining('answered 403: who are you'),
      });
    });

    it('is sent once by many servers, and by the next where one was killed over it', async () => {
      const rule = await setting.rule({ events: [FAILED], ...services() });
      // It takes the message, then is never heard of again: its lease runs out.
      const frozen = setting.process({
        leases: {
          take: () => Promise.resolve(null),
          takeAll: () => Promise.reject(new Error('killed between claim and delivery')),
        },
      });
      await setting.setCheck(await setting.check('api'), 'unhealthy');
      const others = [setting.process(), setting.process(), setting.service];
      await expect(frozen.settle(new AbortController().signal)).resolves.toBe(0);
      await Promise.all(others.map((each) => setting.settle(each)));
      expect(hook.asked).toHaveLength(1);
      expect(await statuses(rule)).toEqual(['sent']);
      // Claimed, and left so by a server that died.
      await setting.setCheck(await setting.check('late'), 'unhealthy');
      await setting.db.run(
        `with made as (insert into notification_deliveries (notification_id, recipient, kind, attempts)
           values ($1::uuid, 'rule/' || $1::uuid || '/0', 'single', 1) returning id)
         insert into notification_send_history (notification_id, source_event, resource_id, status, title, delivery_id)
           select $1::uuid, 'check.failed', generate_ulid(), 'sending', 'left behind', id from made`,
        [rule],
      );
      await Promise.all(others.map((each) => setting.settle(each)));
      expect(told().toSorted()).toEqual(['Check api has failed', 'Check late has failed', 'left behind']);
      for (const each of others.slice(0, 2)) await each.run(AbortSignal.abort());
    });
  });

  describe('a silence', () => {
    const silence = async (columns: Record<string, string | boolean>, from = -1, until = HOUR_MS) => {
      const given = {
        ...columns,
        namespace: '',
        from: new Date(setting.now() + from).toISOString(),
        until: new Date(setting.now() + until).toISOString(),
      };
      await setting.db.run(
        `insert into notification_silences (namespace, "from", "until", check_id, canary_id, config_id, recursive, selector,
           filter, recurrence, created_by, description)
         select namespace, "from", "until", check_id, canary_id, config_id, recursive, selector, filter, recurrence, created_by,
           description from jsonb_populate_record(null::notification_silences, $1::jsonb)`,
        [JSON.stringify(given)],
      );
    };

    it('of a check, its canary, its labels or an expression silences while it holds', async () => {
      const rule = await setting.rule({ events: [FAILED], ...services() });
      const names = ['own', 'canary', 'labels', 'expression', 'loud'];
      const checks: string[] = [];
      for (const name of names) checks.push(await setting.check(name, { is: name }));
      const canary = await setting.db.text('select canary_id::text from checks where id = $1', [
        checks[1] ?? '',
      ]);
      await silence({ check_id: checks[0] ?? '' });
      await silence({ canary_id: canary ?? '' });
      await silence({ selector: 'is in (labels)' });
      await silence({ filter: 'check.name.startsWith("expr")' });
      // Over, not begun, deleted, and one whose expression fails: none of these may hide anything.
      await silence({ check_id: checks[4] ?? '' }, -2 * HOUR_MS, -HOUR_MS);
      await silence({ check_id: checks[4] ?? '' }, HOUR_MS, 2 * HOUR_MS);
      await silence({ check_id: checks[4] ?? '', description: 'deleted' });
      await setting.db.run(
        `update notification_silences set deleted_at = now() where description = 'deleted'`,
      );
      await silence({ filter: 'check.nothing.here' });
      for (const check of checks) await setting.setCheck(check, 'unhealthy');
      await setting.settle();
      expect(told()).toEqual(['Check loud has failed']);
      expect((await statuses(rule)).toSorted()).toEqual([
        'sent',
        'silenced',
        'silenced',
        'silenced',
        'silenced',
      ]);
    });

    it('is recursive only where it says so', async () => {
      await setting.rule({ events: ['config.warning'], ...services() });
      const [a, b] = [await setting.config('a'), await setting.config('b')];
      const [below, other] = [await setting.config('below a', a), await setting.config('below b', b)];
      await silence({ config_id: a, recursive: true });
      await silence({ config_id: b, recursive: false });
      for (const id of [below, other]) await setting.setConfig(id, 'warning');
      await setting.settle();
      expect(told()).toEqual(['Kubernetes::Node below b is warning']);
    });

    it('that ends tells its author, once', async () => {
      const author = await setting.person('author@example.com');
      const check = await setting.check('quiet one');
      await silence({ check_id: check, created_by: author });
      await setting.settle();
      expect(setting.letters).toEqual([]);
      setting.advance(HOUR_MS - 5 * MINUTE_MS);
      await setting.settle();
      await setting.settle();
      expect(setting.letters).toEqual([
        { to: 'author@example.com', subject: 'A silence of yours ends: quiet one' },
      ]);
      // One that is put off ends again.
      const until = new Date(setting.now() + 3 * HOUR_MS).toISOString();
      await setting.db.run('update notification_silences set "until" = $2 where check_id = $1', [
        check,
        until,
      ]);
      await setting.settle();
      expect(setting.letters).toHaveLength(1);
      setting.advance(3 * HOUR_MS - 5 * MINUTE_MS);
      await setting.settle();
      await setting.settle();
      expect(setting.letters.splice(0)).toHaveLength(2);
    });
  });

  describe('a storm', () => {
    it('is one message with what is below what is down', async () => {
      const rule = await setting.rule({ events: ['config.unhealthy'], ...services() });
      const top = await setting.config('switch');
      const children = [await setting.config('host 1', top), await setting.config('host 2', top)];
      for (const id of children) await setting.setConfig(id, 'unhealthy');
      await setting.settle();
      expect(hook.asked).toEqual([]);
      await setting.setConfig(top, 'unhealthy');
      await setting.settle();
      expect(told()).toEqual(['Kubernetes::Node switch is unhealthy, and 2 below it']);
      await setting.setConfig(await setting.config('host 3', top), 'unhealthy');
      setting.advance(MINUTE_MS);
      await setting.settle();
      expect(hook.asked).toHaveLength(1);
      const [last] = (await setting.history(rule)).slice(-1);
      expect(last).toMatchObject({ status: 'silenced', reason: 'switch is down, and was told of' });
      // What is still down long after that was mended has a reason of its own.
      await setting.setConfig(top, 'healthy');
      await setting.settle();
      expect(hook.asked).toHaveLength(1);
      setting.advance(6 * MINUTE_MS);
      await setting.settle();
      setting.advance(MINUTE_MS);
      await setting.settle();
      expect(told().slice(1)).toEqual(['Kubernetes::Node host 3 is unhealthy']);
      expect(hook.asked.at(-1)?.body).toContain('no longer held with what is above it');
    });

    it('is told of at once, and then in a digest', async () => {
      const rule = await setting.rule({ events: [FAILED], ...services() });
      await setting.db.run(
        `with canary as (insert into canaries (name, namespace, spec) values ('storm', 'x', '{}') returning id)
         insert into checks (canary_id, type, name, status) select id, 'http', 'storm ' || n, 'healthy'
           from canary, generate_series(1, 2400) as n`,
      );
      await setting.db.run(`update checks set status = 'unhealthy' where name like 'storm %'`);
      await setting.settle();
      setting.advance(10_000);
      await setting.settle();
      expect(hook.asked).toHaveLength(6);
      expect(told().slice(5)).toEqual(['2395 notifications: 2395 × check.failed']);
      expect(new Set(await statuses(rule))).toEqual(new Set(['sent']));
    });

    it('has one digest, which nobody takes while more of it is on its way', async () => {
      const rule = await setting.rule({ events: [FAILED], ...services() });
      const checks = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((at) => setting.check(`late ${at}`)));
      for (const id of checks.slice(1)) await setting.setCheck(id, 'unhealthy');
      await setting.settle();
      const id = await setting.digestOf(rule);
      await setting.setCheck(checks[0] ?? '', 'unhealthy');
      const taken = async (afterMs: number) =>
        (
          await dueKeys(setting.db, DELIVERY_TABLE, {
            prefix: '',
            now: new Date(setting.now() + afterMs),
            limit: 9,
          })
        ).includes(id);
      expect([await taken(10_000), await taken(31_000)]).toEqual([false, true]);
      await setting.settle();
      expect(await setting.digestOf(rule)).toBe(id);
      expect(await taken(10_000)).toBe(true);
    });

    it('with a group is one message for each group', async () => {
      await setting.rule({ events: [FAILED], group_by: ['label:team'], ...services() });
      for (const [name, team] of [
        ['a1', 'a'],
        ['a2', 'a'],
        ['b1', 'b'],
      ] as const)
        await setting.setCheck(await setting.check(name, { team }), 'unhealthy');
      await setting.settle();
      setting.advance(11_000);
      await setting.settle();
      expect(told().toSorted()).toEqual(['2 notifications: 2 × check.failed', 'Check b1 has failed']);
    });

    it('of one thing is said to be flapping', async () => {
      const rule = await setting.rule({ events: [FAILED, 'check.passed'], ...services() });
      const check = await setting.check('flaky');
      for (let round = 0; round < 5; round += 1) {
        await setting.setCheck(check, 'unhealthy');
        await setting.settle();
        await setting.setCheck(check, 'healthy');
        await setting.settle();
        setting.advance(2 * MINUTE_MS);
      }
      setting.advance(10 * MINUTE_MS);
      await setting.settle();
      expect(hook.asked.length).toBeLessThan(9);
      const reasons = (await setting.history(rule)).map(({ reason }) => reason);
      expect(reasons.at(-1)).toContain('flapping');
      expect(hook.asked.at(-1)?.body).toContain('Check flaky has passed');
    });

    it('is no flapping because several are told of one change', async () => {
      const places = ['a', 'b', 'c'].map((name) => ({ name, url: `${hook.url}/${name}` }));
      const rule = await setting.rule({ events: [FAILED, 'check.passed'], custom_services: places });
      const check = await setting.check('steady');
      for (const status of ['unhealthy', 'healthy', 'unhealthy'] as const) {
        await setting.setCheck(check, status);
        await setting.settle();
        setting.advance(2 * MINUTE_MS);
      }
      expect((await setting.history(rule)).map(({ reason }) => reason)).toEqual(Array<null>(9).fill(null));
      expect(hook.asked).toHaveLength(9);
    });
  });
});
