/** Playbooks that are set off by events, webhooks and schedules, over real HTTP on both databases (schema §7.4). */
import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEventQueue } from '../../server/platform/jobs/event-queue.ts';
import { subscribeEvents } from '../../server/platform/jobs/event-query.ts';
import type { EventQueue } from '../../server/platform/jobs/event-queue.ts';
import { createLeases } from '../../server/platform/jobs/leases.ts';
import { nodePlatform } from '../../server/platform/platform.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { runSchedules } from '../../server/playbooks/triggers/schedule-loop.ts';
import { addPlaybook, playbookSetting, runWhen } from './support/playbook-setting.ts';
import type { PlaybookSetting } from './support/playbook-setting.ts';

const say = (script = 'echo hello') => [{ name: 'say', exec: { script } }];
const runRow = z.object({ id: z.string(), status: z.string(), error: z.string().nullable() });

forEachDatabase((kind, open) => {
  describe(`triggers on ${kind}`, () => {
    let db: Database;
    let setting: PlaybookSetting;
    let queue: EventQueue;
    beforeAll(async () => {
      db = await open();
      setting = await playbookSetting(db);
      const { notifier, backend, app } = setting.server;
      queue = createEventQueue({
        db,
        notifier,
        platform: nodePlatform,
        logger: app.log as Parameters<typeof createEventQueue>[0]['logger'],
        leases: createLeases({ db, platform: nodePlatform, logger: backend.triggers.webhooks.logger }),
        handlers: new Map([['incident.created', () => Promise.resolve()]]),
        onDemand: backend.triggers.handlers,
        wakesOn: new Set(),
      });
      await subscribeEvents(db, ['incident.created'], [...backend.triggers.handlers.keys()]);
    });
    afterAll(() => setting.server.stop());

    const runsOf = (playbook: string) =>
      db.rows(
        runRow,
        'select id, status, error from playbook_runs where playbook_id = $1 order by created_at, id',
        [playbook],
      );
    const idOf = async (sql: string, params: string[] = []) => z.string().parse(await db.text(sql, params));
    const addItem = (name: string, health = 'healthy') =>
      idOf(
        `insert into config_items (name, type, config_class, external_id, health, labels)
         values ($1, 'Test::Thing', 'Test', array[$1], $2, '{"app": "shop"}') returning id::text`,
        [name, health],
      );
    const setHealth = (item: string, health: string) =>
      db.run('update config_items set health = $2 where id = $1', [item, health]);
    const forget = (playbook: string) =>
      db.run('update playbooks set deleted_at = now() where id = $1', [playbook]);

    describe('events', () => {
      it('an event runs the playbooks that mean it, about the item, with what happened in request', async () => {
        const meant = await addPlaybook(db, 'on unhealthy', {
          on: {
            config: [{ event: 'unhealthy', labels: { app: 'shop' }, filter: 'config.name.startsWith("db")' }],
          },
          actions: say("echo '{{.config.name}} {{.request.event}}'"),
        });
        const other = await addPlaybook(db, 'other', {
          on: { config: [{ event: 'unhealthy', labels: { app: 'other' } }, { event: 'deleted' }] },
          actions: say(),
        });
        const [item, elsewhere] = [await addItem('db-1'), await addItem('web-1')];
        await setHealth(item, 'unhealthy');
        await setHealth(elsewhere, 'unhealthy');
        await queue.drain();
        const [run, ...more] = await runsOf(meant);
        expect(more).toEqual([]);
        expect((await runWhen(db, run?.id ?? '')).actions).toMatchObject([
          { result: { stdout: 'db-1 config.unhealthy' } },
        ]);
        expect(await runsOf(other)).toEqual([]);
        await Promise.all([meant, other].map(forget));
      });

      it('only what a playbook wants is noted, and nothing once it is gone', async () => {
        const waiting = () => db.text(`select count(*)::text from event_queue where name like 'config.%'`);
        const item = await addItem('quiet');
        await setHealth(item, 'warning');
        expect(await waiting()).toBe('0');
        const id = await addPlaybook(db, 'on warning', {
          on: { config: [{ event: 'warning' }] },
          actions: say(),
        });
        await setHealth(item, 'healthy');
        expect(await waiting()).toBe('0');
        await setHealth(item, 'warning');
        expect(await waiting()).toBe('1');
        await queue.drain();
        await forget(id);
        await setHealth(item, 'healthy');
        await setHealth(item, 'warning');
        expect(await waiting()).toBe('0');
      });

      it('the same event twice is one run', async () => {
        const id = await addPlaybook(db, 'once', { on: { config: [{ event: 'healthy' }] }, actions: say() });
        const item = await addItem('twice', 'unhealthy');
        const event = { name: 'config.healthy', properties: { id: item }, key: 'the same' };
        const handler = setting.server.backend.triggers.handlers.get(event.name);
        await handler?.(event);
        const [run] = await runsOf(id);
        await runWhen(db, run?.id ?? '');
        await handler?.(event);
        expect(await runsOf(id)).toHaveLength(1);
        await forget(id);
      });

      it('a playbook whose effect sets it off again is stopped after three turns, and the run says so', async () => {
        const id = await addPlaybook(db, 'breaks it again', {
          on: { config: [{ event: 'unhealthy' }] },
          actions: say(),
        });
        const item = await addItem('loops');
        for (let turn = 0; turn < 6; turn += 1) {
          await setHealth(item, 'unhealthy');
          await queue.drain();
          const last = (await runsOf(id)).at(-1);
          await runWhen(db, last?.id ?? '');
          await setHealth(item, 'healthy');
        }
        const runs = await runsOf(id);
        expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'failed']);
        expect(runs[3]?.error).toBe(
          'Stopped: this playbook was set off by what it did itself (breaks it again → breaks it again → breaks it again → breaks it again). Change its trigger or its filter so that its own effect does not start it again.',
        );
        await forget(id);
      });

      it('what runs note on their item sets off others, never those that led to it', async () => {
        const first = await addPlaybook(db, 'first', {
          on: { config: [{ event: 'changed' }] },
          actions: say(),
        });
        const item = await addItem('noted');
        await db.run(
          `insert into config_changes (config_id, external_change_id, change_type, source) values ($1, 'x', 'Scaled', 'test')`,
          [item],
        );
        for (let round = 0; round < 4; round += 1) {
          await queue.drain();
          for (const { id } of await runsOf(first)) await runWhen(db, id);
        }
        expect(await runsOf(first)).toMatchObject([{ status: 'completed' }]);
        await forget(first);
      });

      it('one that can not be started says why, once; one that its filters do not want says nothing', async () => {
        const lacking = await addPlaybook(db, 'lacking', {
          on: { config: [{ event: 'unhealthy' }] },
          parameters: [{ name: 'word', required: true }],
          actions: say(),
        });
        const wrong = await addPlaybook(db, 'wrong filter', {
          on: { config: [{ event: 'unhealthy', filter: 'config.nothing.at == 1' }] },
          actions: say(),
        });
        const choosy = await addPlaybook(db, 'choosy', {
          on: { config: [{ event: 'unhealthy' }] },
          filters: ['config.name == "another"'],
          actions: say(),
        });
        const breakOne = async (name: string) => {
          await setHealth(await addItem(name), 'unhealthy');
          await queue.drain();
        };
        for (const name of ['bad-1', 'bad-2']) await breakOne(name);
        expect(await runsOf(lacking)).toMatchObject([
          { status: 'failed', error: 'params: word must be given' },
        ]);
        expect(await runsOf(wrong)).toMatchObject([
          {
            status: 'failed',
            error: expect.stringMatching(/^on: the filter "config.nothing.at == 1" fails: /),
          },
        ]);
        expect(await runsOf(choosy)).toEqual([]);
        // Mended, and wrong in another way: that is said again.
        await db.run(
          `update playbooks set spec = jsonb_set(spec, '{parameters,0,name}', '"term"') where id = $1`,
          [lacking],
        );
        await breakOne('bad-3');
        expect((await runsOf(lacking)).map(({ error }) => error)).toEqual([
          'params: word must be given',
          'params: term must be given',
        ]);
        await Promise.all([lacking, wrong, choosy].map(forget));
      });

      it('a trigger about a check sees its canary, and one that waits for approval is asked for once', async () => {
        const canary = await idOf(
          `insert into canaries (name, namespace, spec, labels) values ('shop', 'default', '{}', '{"team": "a"}') returning id::text`,
        );
        const check = await idOf(
          `insert into checks (canary_id, name, type, status) values ($1, 'door', 'http', 'healthy') returning id::text`,
          [canary],
        );
        const id = await addPlaybook(db, 'on failed', {
          on: { canary: [{ event: 'failed', labels: { team: 'a' }, filter: 'canary.name == "shop"' }] },
          approval: { approvers: { people: ['nobody@example.com'] } },
          actions: say(),
        });
        for (let turn = 0; turn < 2; turn += 1) {
          await db.run(`update checks set status = 'unhealthy' where id = $1`, [check]);
          await queue.drain();
          await db.run(`update checks set status = 'healthy' where id = $1`, [check]);
        }
        expect(await runsOf(id)).toMatchObject([{ status: 'pending_approval' }]);
        await forget(id);
      });
    });

    describe('webhooks', () => {
      const call = (path: string, body: string, headers: Record<string, string> = {}) =>
        fetch(`${setting.server.url}/api/playbook/webhook/${path}`, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', ...headers },
        });
      const signed = (body: string, token = 'the token of this hook', delivery = nodePlatform.newId()) => ({
        'x-hub-signature-256': `sha256=${createHmac('sha256', token).update(body).digest('hex')}`,
        'x-github-delivery': delivery,
      });
      const answerOf = async (answer: Response) =>
        z.object({ run_id: z.string().optional(), error: z.string().optional() }).parse(await answer.json());
      let hook = '';
      beforeAll(async () => {
        hook = await addPlaybook(db, 'hook', {
          on: {
            webhook: { path: '/deploy', authentication: { github: { token: 'the token of this hook' } } },
          },
          parameters: [{ name: 'ref', default: '{{.request.body.ref}}' }],
          actions: say("echo '{{.params.ref}} {{.request.query.who}}'"),
        });
      });

      it('a signed call runs it with what was sent; the token is nowhere to be read', async () => {
        const body = JSON.stringify({ ref: "main'; touch /tmp/x #" });
        const answer = await call('deploy?who=ci', body, signed(body));
        expect(answer.status).toBe(201);
        const run = await runWhen(db, (await answerOf(answer)).run_id ?? '');
        expect(run).toMatchObject({
          status: 'completed',
          parameters: { ref: "main'; touch /tmp/x #" },
          actions: [{ result: { stdout: "main'; touch /tmp/x # ci" } }],
        });
        const kept = await db.text(
          `select run::text || playbook::text from playbook_runs as run join playbooks as playbook on playbook.id = run.playbook_id where run.id = $1`,
          [run.id],
        );
        expect(kept).not.toMatch(/the token of this hook|sha256=/);
      });

      it('a password that it was sent is nowhere to be read, and is there where it is used', async () => {
        const password = 'tYped-p4ssword-0816';
        const id = await addPlaybook(db, 'secret hook', {
          on: {
            webhook: { path: 'secret', authentication: { github: { token: 'the token of this hook' } } },
          },
          parameters: [
            { name: 'key', default: '{{.request.body.key}}', properties: { format: 'password' } },
            { name: 'note', default: 'with {{.request.body.key}}' },
          ],
          actions: say("printf '{{.request.body.key}} {{.params.note}} {{.params.key}}' | md5sum"),
        });
        const body = JSON.stringify({ key: password });
        await call('secret', body, signed(body));
        const run = await runWhen(db, (await runsOf(id))[0]?.id ?? '');
        const used = createHash('md5').update(`${password} with ${password} ${password}`).digest('hex');
        expect(run.actions[0]?.result).toMatchObject({ stdout: `${used}  -` });
        const kept = `select (select run::text from playbook_runs as run where id = $1)
          || (select state::text from playbook_run_states as state where run_id = $1)`;
        expect(await db.text(kept, [run.id])).not.toContain(password);
        await forget(id);
      });

      it('a delivery that is repeated is the run that it made', async () => {
        const body = '{"ref":"again"}';
        const headers = signed(body, undefined, 'one delivery');
        const [first, second] = [await call('deploy', body, headers), await call('deploy', body, headers)];
        expect((await answerOf(second)).run_id).toBe((await answerOf(first)).run_id);
      });

      it('strangers learn nothing: an unknown path, a wrong signature, a hook without authentication', async () => {
        await addPlaybook(db, 'open', { on: { webhook: { path: 'open' } }, actions: say() });
        const body = '{}';
        const answers = [
          await call('nothing', body, signed(body)),
          await call('deploy', body),
          await call('deploy', body, signed(body, 'another token')),
          await call('deploy', '{"ref":"x"}', signed(body)),
          await call('open', body),
        ];
        const told = await Promise.all(
          answers.map(async (answer) => [answer.status, (await answerOf(answer)).error]),
        );
        expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
        expect(told[0]?.[0]).toBe(401);
      });

      it.each([
        ['not JSON', '{"ref":', 400],
        ['nested without end', `${'['.repeat(5000)}${']'.repeat(5000)}`, 400],
        ['a prototype', '{"__proto__":{"admin":true},"ref":"x"}', 201],
        ['NUL characters', '{"ref":"a\\u0000b"}', 400],
        ['too large', JSON.stringify({ ref: 'x'.repeat(600_000) }), 413],
        ['no object', '"text"', 201],
      ])('a signed body that is hostile (%s) harms nothing', async (_what, body, status) => {
        const answer = await call('deploy', body, signed(body));
        expect(answer.status).toBe(status);
      });

      it('a call that can not start it is told so, and so are people', async () => {
        const id = await addPlaybook(db, 'lacking hook', {
          on: {
            webhook: { path: 'lacking', authentication: { github: { token: 'the token of this hook' } } },
          },
          parameters: [{ name: 'ref', required: true }],
          actions: say(),
        });
        expect((await call('lacking', '{}', signed('{}'))).status).toBe(400);
        expect(await runsOf(id)).toMatchObject([{ status: 'failed', error: 'params: ref must be given' }]);
      });

      it('another site can not make a browser call it', async () => {
        const body = '{}';
        const headers = { ...signed(body), origin: 'https://evil.example' };
        expect((await call('deploy', body, headers)).status).toBe(403);
        expect((await call('deploy', body, { ...signed(body), 'content-type': 'text/plain' })).status).toBe(
          415,
        );
      });

      it('a run that calls its own webhook is stopped', async () => {
        const body = '{"ref":"circle"}';
        const first = await answerOf(await call('deploy', body, signed(body)));
        await runWhen(db, first.run_id ?? '');
        const headers = { ...signed(body), 'x-holdfast-run': first.run_id ?? '' };
        const second = await call('deploy', body, headers);
        expect([second.status, (await answerOf(second)).error]).toEqual([
          409,
          expect.stringContaining('was set off by what it did itself (hook → hook)') as string,
        ]);
        const failed = (await runsOf(hook)).filter(({ status }) => status === 'failed');
        expect(failed).toMatchObject([{ error: expect.stringMatching(/^Stopped: /) as string }]);
        const unknown = { ...signed(body), 'x-holdfast-run': nodePlatform.newId() };
        expect((await call('deploy', body, unknown)).status).toBe(201);
      });
    });

    describe('schedules', () => {
      it('each time is one run, on one server; what came round while none ran is left out, and says so', async () => {
        const id = await addPlaybook(db, 'nightly', {
          on: { schedule: [{ schedule: '*/5 * * * *', parameters: { word: 'now' } }] },
          parameters: [{ name: 'word' }],
          actions: say(),
        });
        const { webhooks } = setting.server.backend.triggers;
        let at = Date.UTC(2030, 0, 1, 3, 1);
        const look = () => runSchedules({ ...webhooks, platform: { ...webhooks.platform, now: () => at } });
        const count = async () => (await runsOf(id)).length;
        await look();
        expect(await count()).toBe(0);
        at = Date.UTC(2030, 0, 1, 3, 5, 1);
        await Promise.all([look(), look(), look()]);
        expect(await count()).toBe(1);
        await look();
        expect(await count()).toBe(1);
        at = Date.UTC(2030, 0, 1, 9, 4, 30);
        for (let times = 0; times < 2; times += 1) await look();
        const [, missed, ...others] = await runsOf(id);
        expect(missed).toMatchObject({
          status: 'failed',
          error: expect.stringContaining('due since 2030-01-01T03:10:00.000Z, while no server') as string,
        });
        expect(others).toEqual([]);
        at = Date.UTC(2030, 0, 1, 9, 5, 2);
        await look();
        expect(await count()).toBe(3);
        await forget(id);
      });

      it('one that cannot be followed says so once until it is changed, and holds up no other', async () => {
        const on = (...schedules: string[]) => ({ schedule: schedules.map((schedule) => ({ schedule })) });
        // As an import brings them.
        const wrong = await addPlaybook(db, 'a wrong one', {
          on: on('99 99 * * *', 'soon', '@every 1m'),
          actions: say(),
        });
        const unreadable = await addPlaybook(db, 'an unreadable one', { on: on('@daily'), actions: [] });
        const right = await addPlaybook(db, 'the last one', { on: on('@every 1m'), actions: say() });
        const { webhooks } = setting.server.backend.triggers;
        let at = Date.UTC(2030, 0, 3);
        const look = () => runSchedules({ ...webhooks, platform: { ...webhooks.platform, now: () => at } });
        const failures = async (id: string) =>
          (await runsOf(id)).flatMap(({ error }) => error ?? []).toSorted();
        await look();
        at += 61_000;
        await look();
        expect(await failures(wrong)).toEqual([
          expect.stringMatching(
            /^Left out: spec\.on\.schedule\[0\]\.schedule: "99 99 \* \* \*" is no schedule/,
          ),
          expect.stringMatching(/^Left out: spec\.on\.schedule\[1\]\.schedule: "soon" is no schedule/),
        ]);
        expect(await failures(unreadable)).toEqual([
          expect.stringMatching(/^Left out: the playbook "an unreadable one" can't be run: spec\./),
        ]);
        // Its own third line, and the others.
        expect(await runsOf(wrong)).toHaveLength(3);
        expect(await runsOf(right)).toHaveLength(1);
        at += 3_700_000;
        await look();
        expect(await failures(unreadable)).toHaveLength(1);
        await db.run(`update playbooks set title = 'still unreadable' where id = $1`, [unreadable]);
        // The other clock is years ahead.
        await db.run(`update playbook_run_causes set created_at = '2020-01-01' where playbook_id = $1`, [
          unreadable,
        ]);
        at += 1000;
        await Promise.all([look(), look(), look()]);
        expect(await failures(unreadable)).toHaveLength(2);
        for (const id of [wrong, unreadable, right]) await forget(id);
      });

      it('one that can not be started says why', async () => {
        const id = await addPlaybook(db, 'needs more', {
          on: { schedule: [{ schedule: '@every 1m' }] },
          parameters: [{ name: 'word', required: true }],
          actions: say(),
        });
        const { webhooks } = setting.server.backend.triggers;
        let at = Date.UTC(2030, 0, 2);
        const look = () => runSchedules({ ...webhooks, platform: { ...webhooks.platform, now: () => at } });
        await look();
        at += 61_000;
        await look();
        expect(await runsOf(id)).toMatchObject([{ status: 'failed', error: 'params: word must be given' }]);
        await forget(id);
      });
    });
  });
});
