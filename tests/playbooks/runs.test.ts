/** Runs of playbooks from the press of Run to their end, on both databases (schema §7.4). */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dryRunSchema } from '../../src/contract/http/playbooks/playbook-dry-run.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { jsonObject } from '../../server/platform/db/row-schema.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { addPlaybook, playbookSetting, readRun, runWhen } from './support/playbook-setting.ts';
import type { PlaybookSetting } from './support/playbook-setting.ts';
import { startService } from './support/services.ts';
import type { TestService } from './support/services.ts';

const WAIT = 60_000;
/** A process that was killed may wait there as a zombie until somebody asks how it ended. */
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

forEachDatabase((kind, open) => {
  describe(`runs on ${kind}`, { timeout: WAIT }, () => {
    let db: Database;
    let service: TestService;
    let setting: PlaybookSetting;
    let count = 0;
    let folder: string;

    beforeAll(async () => {
      db = await open();
      service = await startService();
      folder = await mkdtemp(join(tmpdir(), 'holdfast-playbooks-'));
      const playbooks = { isExecAllowed: true, folder };
      setting = await playbookSetting(db, { egressAllow: ['127.0.0.1'], playbooks });
    }, WAIT);
    afterAll(async () => {
      await setting.server.stop();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const add = (spec: object) => addPlaybook(db, `playbook ${(count += 1)}`, spec);
    const press = async (spec: object, body: object = {}) => setting.press(await add(spec), body);
    const runOf = async (spec: object, body: object = {}) => runWhen(db, await press(spec, body));
    const statuses = ({ actions }: { actions: { name: string; status: string }[] }) =>
      actions.map(({ name, status }) => `${name} ${status}`);
    const exec = (script: string) => ({ exec: { script } });

    it('an exec action runs; its result is in its row, its lines are told apart and in order', async () => {
      const script = 'echo one; sleep 0.2; echo two >&2; sleep 0.2; printf three';
      const run = await runOf({ actions: [{ name: 'say', ...exec(script) }] });
      expect(run).toMatchObject({
        status: 'completed',
        error: null,
        actions: [{ status: 'completed', result: { stdout: 'one\nthree', stderr: 'two', exitCode: 0 } }],
      });
      const { pieces, is_over: isOver } = await setting.output(run.id);
      expect(pieces.map(({ stream, content }) => [stream, content])).toEqual([
        ['stdout', 'one\n'],
        ['stderr', 'two\n'],
        ['stdout', 'three'],
      ]);
      expect(isOver).toBe(true);
    });

    it('lines are told while the action runs', async () => {
      const id = await press({ actions: [{ name: 'slow', ...exec('echo first; sleep 60') }] });
      const first = await setting.output(id, 0, 20_000);
      expect(first).toMatchObject({ pieces: [{ content: 'first\n' }], is_over: false });
      expect((await readRun(db, id)).status).toBe('running');
      await setting.editor.browser.post(`/api/playbook/run/${id}/cancel`);
      await runWhen(db, id);
    });

    it('conditions decide after a failure: failure and always run, others do not', async () => {
      const run = await runOf({
        env: [{ name: 'STAGE', value: 'prod' }],
        filters: ["env.STAGE == 'prod'"],
        actions: [
          { name: 'a', ...exec('exit 3') },
          { name: 'b', ...exec('echo never') },
          { name: 'c', if: 'success()', ...exec('echo never') },
          { name: 'd', if: 'failure()', ...exec('echo sorry') },
          { name: 'e', if: 'skip()', ...exec('echo never') },
          { name: 'f', if: 'timeout()', ...exec('echo never') },
          { name: 'stage', if: "env.STAGE != 'prod'", ...exec('echo never') },
          {
            name: 'g',
            if: 'always()',
            ...exec('echo \'{{ (getAction "d").result.stdout }} {{ getLastAction.name }}\''),
          },
        ],
      });
      expect(run.status).toBe('failed');
      expect(statuses(run)).toEqual([
        'a failed',
        'c skipped',
        'd completed',
        'e skipped',
        'f skipped',
        'stage skipped',
        'g completed',
      ]);
      expect(run.actions[0]?.error).toBe('exit code 3');
      expect(run.actions.at(-1)?.result).toMatchObject({ stdout: 'sorry stage' });
    });

    it('a time limit ends an action with all that it started, and timeout() is true then', async () => {
      const run = await runOf({
        actions: [
          { name: 'slow', timeout: '500ms', ...exec('sleep 300 & echo $!; wait') },
          { name: 'after', if: 'timeout()', ...exec('echo was slow') },
        ],
      });
      expect(statuses(run)).toEqual(['slow failed', 'after completed']);
      expect(run.actions[0]?.error).toMatch(/^Timed out/);
      expect(isAlive(Number(run.actions[0]?.result?.['stdout']))).toBe(false);
    });

    it('a delayed action makes the run sleep, without a row for it', async () => {
      const id = await press({
        actions: [
          { name: 'now', ...exec('true') },
          { name: 'later', delay: "'2s'", ...exec('true') },
        ],
      });
      const asleep = await runWhen(db, id, ({ status }) => status === 'sleeping');
      expect(statuses(asleep)).toEqual(['now completed']);
      expect(statuses(await runWhen(db, id))).toEqual(['now completed', 'later completed']);
    });

    it('a cancel ends a running script with its children, and a request', async () => {
      const script = await press({ actions: [{ name: 'wait', ...exec('sleep 300 & echo $!; wait') }] });
      const pid = Number((await setting.output(script, 0, 20_000)).pieces[0]?.content);
      expect(isAlive(pid)).toBe(true);
      const request = await press({
        actions: [{ name: 'ask', http: { url: `${service.url}/held/${kind}` } }],
      });
      await expect
        .poll(() => service.asked.map(({ url }) => url), { timeout: WAIT })
        .toContain(`/held/${kind}`);
      for (const id of [script, request]) {
        const answer = await setting.editor.browser.post(`/api/playbook/run/${id}/cancel`);
        expect(answer.status).toBe(200);
        const run = await runWhen(db, id);
        expect(run).toMatchObject({
          status: 'cancelled',
          actions: [{ status: 'failed', error: 'Cancelled' }],
        });
        expect((await setting.editor.browser.post(`/api/playbook/run/${id}/cancel`)).status).toBe(409);
      }
      expect(isAlive(pid)).toBe(false);
      await expect.poll(() => service.gone, { timeout: WAIT }).toContain(`/held/${kind}`);
    });

    it('a run that nothing is under way of is cancelled at once', async () => {
      const id = await press({ actions: [{ name: 'later', delay: '1h', ...exec('true') }] });
      await runWhen(db, id, ({ status }) => status === 'sleeping');
      await setting.editor.browser.post(`/api/playbook/run/${id}/cancel`);
      expect(await readRun(db, id)).toMatchObject({ status: 'cancelled', actions: [] });
    });

    /** A run whose first action was under way when its server was killed. */
    const leftUnderWay = async (cancelledAt: string | null) => {
      const id = await add({
        actions: [
          { name: 'effect', ...exec('echo again') },
          { name: 'clean', if: 'failure()', ...exec('echo cleaned') },
        ],
      });
      const text = (sql: string, params: readonly (string | null)[]) =>
        db.text(sql, params).then((found) => found ?? '');
      const runId = await text(
        `insert into playbook_runs (playbook_id, spec, status, start_time)
         select id, spec, 'running', now() from playbooks where id = $1 returning id::text`,
        [id],
      );
      const actionId = await text(
        `insert into playbook_run_actions (name, status, playbook_run_id, start_time)
         values ('effect', 'running', $1, now()) returning id::text`,
        [runId],
      );
      await db.run(
        `insert into playbook_action_outputs (run_id, action_id, stream, content) values ($1, $2, 'stdout', 'half')`,
        [runId, actionId],
      );
      await db.run(
        'insert into playbook_run_states (run_id, cancel_requested_at) values ($1, $2::timestamptz)',
        [runId, cancelledAt],
      );
      setting.server.backend.playbooks.wake();
      return runWhen(db, runId);
    };

    it('an action that its server left under way is marked, keeps what it wrote, and is not run again', async () => {
      const ended = await leftUnderWay(null);
      expect(ended.status).toBe('failed');
      expect(statuses(ended)).toEqual(['effect failed', 'clean completed']);
      expect(ended.actions[0]).toMatchObject({
        result: { stdout: 'half', interrupted: true },
        error: /^Interrupted/,
      });
    });

    it('what somebody cancelled goes no further, also where its server left it', async () => {
      const ended = await leftUnderWay('2026-01-01T00:00:00Z');
      expect(ended.status).toBe('cancelled');
      expect(statuses(ended)).toEqual(['effect failed']);
    });

    it('a password is nowhere but where the action uses it', async () => {
      const configId = await db.text(
        `insert into config_items (config_class, type, name, path) values ('Pod', 'Pod', 'vault', '') returning id::text`,
      );
      const password = 'tYped-p4ssword-0815';
      const id = await add({
        parameters: [{ name: 'secret', type: 'text', properties: { format: 'password' } }, { name: 'who' }],
        actions: [
          { name: 'use', ...exec('echo "$PARAM_SECRET" | md5sum; echo "$PARAM_SECRET $PARAM_WHO" >&2') },
          { name: 'again', ...exec('printf %s {{.params.secret}} | wc -c') },
        ],
      });
      const runId = await setting.press(id, { config_id: configId, params: { secret: password, who: 'me' } });
      const ended = await runWhen(db, runId);
      expect(ended.status).toBe('completed');
      const md5 = createHash('md5').update(`${password}\n`).digest('hex');
      expect(ended.actions[0]?.result).toMatchObject({
        stdout: expect.stringContaining(md5),
        stderr: '*** me',
      });
      expect(ended.actions[1]?.result).toMatchObject({ stdout: String(password.length) });
      for (const table of [
        'playbook_runs',
        'playbook_run_states',
        'playbook_run_actions',
        'playbook_action_outputs',
        'config_changes',
      ])
        expect([
          table,
          await db.text(`select count(*)::text from ${table} as t where t::text like '%' || $1 || '%'`, [
            password,
          ]),
        ]).toEqual([table, '0']);
      expect(await db.text('select parameters::text from playbook_runs where id = $1', [runId])).toContain(
        '***',
      );
      expect(await db.text('select secrets from playbook_run_states where run_id = $1', [runId])).toBeNull();
      const dry = await setting.editor.browser.post(`/api/playbook/${id}/dry-run`, {
        params: { secret: password, who: 'me' },
      });
      expect([dry.status, (await dry.text()).includes(password)]).toEqual([200, false]);
    });

    it('nobody starts it on what it is not for', async () => {
      const id = await add({ configs: [{ types: ['Wanted'] }], actions: [{ name: 'a', ...exec('true') }] });
      const itemOf = (type: string) =>
        db.text(
          `insert into config_items (config_class, type, name, path) values ($1, $1, 'one', '') returning id::text`,
          [type],
        );
      const ask = async (target: object) =>
        (await setting.editor.browser.post('/api/playbook/run', { id, ...target })).status;
      expect(await ask({ config_id: await itemOf('Other') })).toBe(400);
      expect(await ask({ config_id: await itemOf('Wanted') })).toBe(201);
    });

    it('the same key is the same run; another one is another run', async () => {
      const id = await add({ actions: [{ name: 'a', ...exec('true') }] });
      const first = await setting.press(id, {}, { 'idempotency-key': 'one' });
      expect(await setting.press(id, {}, { 'idempotency-key': 'one' })).toBe(first);
      expect(await setting.press(id, {}, { 'idempotency-key': 'two' })).not.toBe(first);
    });

    it('a run on a config notes all that happens to it among its changes', async () => {
      const configId = await db.text(
        `insert into config_items (config_class, type, name, path) values ('Pod', 'Pod', 'web', '') returning id::text`,
      );
      const target = { config_id: configId };
      const good = await runOf({ actions: [{ name: 'a', ...exec('echo {{.config.name}}') }] }, target);
      expect(good.actions[0]?.result).toMatchObject({ stdout: 'web' });
      const bad = await runOf({ actions: [{ name: 'a', ...exec('false') }] }, target);
      const changes = await db.rows(
        z.object({ change_type: z.string(), severity: z.string(), source: z.string(), run: z.string() }),
        `select change_type, severity, source, details ->> 'run_id' as run from config_changes
          where config_id = $1 order by created_at, external_change_id`,
        [configId],
      );
      const of = (id: string) =>
        changes
          .filter(({ run }) => run === id)
          .map((row) => `${row.change_type} ${row.severity}`)
          .toSorted();
      expect(of(good.id)).toEqual([
        'PlaybookCompleted low',
        'PlaybookScheduled info',
        'PlaybookStarted info',
      ]);
      expect(of(bad.id)).toEqual(['PlaybookFailed high', 'PlaybookScheduled info', 'PlaybookStarted info']);
    });

    it('files that a script leaves are the artifacts of the run', async () => {
      const run = await runOf({
        actions: [
          { name: 'a', exec: { script: 'echo content > report.txt', artifacts: [{ path: '*.txt' }] } },
        ],
      });
      const list = await setting.editor.browser.get(`/api/artifacts/list/playbook_run/${run.id}`);
      const [file] = z.array(z.object({ id: z.string(), filename: z.string() })).parse(await list.json());
      expect(file?.filename).toBe('report.txt');
      const download = await setting.editor.browser.get(`/api/artifacts/download/${file?.id}`);
      expect(await download.text()).toBe('content\n');
    });

    it('parameters get their defaults, and what is unknown, missing or filtered is refused with the reason', async () => {
      const id = await add({
        parameters: [
          { name: 'who', required: true },
          { name: 'size', default: 3 },
          { name: 'greeting', default: 'Hi {{.params.who}}' },
        ],
        filters: ["params.who != 'nobody'"],
        actions: [{ name: 'a', exec: { script: 'echo "{{.params.greeting}} $PARAM_SIZE"' } }],
      });
      const run = await runWhen(db, await setting.press(id, { params: { who: 'Ann' } }));
      expect(run.parameters).toEqual({ who: 'Ann', size: '3', greeting: 'Hi Ann' });
      expect(run.actions[0]?.result).toMatchObject({ stdout: 'Hi Ann 3' });
      await expect(setting.press(id, {})).rejects.toThrow(/^400 .*who must be given/);
      await expect(setting.press(id, { params: { who: 'x', what: 'y' } })).rejects.toThrow(
        /^400 .*unknown parameter what/,
      );
      await expect(setting.press(id, { params: { who: 'nobody' } })).rejects.toThrow(/^400 .*nobody/);
    });

    it('a specification that cannot be read says where, and its parameters are not lost without a word', async () => {
      const id = await add({
        parameters: [{ label: 'nameless' }],
        configs: [{ types: ['Pod'] }],
        actions: [],
      });
      await expect(setting.press(id)).rejects.toThrow(
        /^400 .*spec\.parameters\[0\]\.name: is required.*spec\.actions/,
      );
      const params = await setting.editor.browser.post(`/api/playbook/${id}/params`, { id });
      expect(params.status).toBe(400);
    });

    it('permissions say who may run it', async () => {
      const id = await add({
        permissions: [{ role: 'commander' }],
        actions: [{ name: 'a', ...exec('true') }],
      });
      await expect(setting.press(id)).rejects.toThrow(/^403 .*may be run by: commander/);
      const admin = await setting.signIn('admin');
      expect((await admin.browser.post('/api/playbook/run', { id })).status).toBe(201);
    });

    it('a dry run shows the actions with their templates filled and their secrets hidden, and runs nothing', async () => {
      const before = service.asked.length;
      const id = await add({
        env: [{ name: 'TOKEN', value: 'hunter2-secret-token' }],
        parameters: [{ name: 'who' }],
        actions: [
          { name: 'a', ...exec('echo {{.params.who}}') },
          {
            name: 'b',
            if: 'success()',
            http: {
              url: `${service.url}/x/{{.params.who}}`,
              headers: { authorization: 'Bearer {{.env.TOKEN}}' },
            },
          },
          { name: 'c', ...exec('echo {{ nope }}') },
        ],
      });
      const answer = await setting.editor.browser.post(`/api/playbook/${id}/dry-run`, {
        params: { who: "a'b/../c" },
      });
      const text = await answer.text();
      expect(text).not.toContain('hunter2');
      const { actions } = dryRunSchema.parse(JSON.parse(text));
      expect(actions).toMatchObject([
        {
          name: 'a',
          kind: 'exec',
          rendered: { script: 'echo "${HOLDFAST_VALUE_1}"', env: { HOLDFAST_VALUE_1: "a'b/../c" } },
        },
        { name: 'b', if: 'success()', rendered: { url: `${service.url}/x/a'b%2F..%2Fc` } },
        { name: 'c', rendered: null, error: /nope/ },
      ]);
      expect(service.asked.length).toBe(before);
      expect(await db.text(`select count(*)::text from playbook_runs where playbook_id = $1`, [id])).toBe(
        '0',
      );
    });

    it('http: the answer is the result; a refusal fails the action; secrets are not in what is kept', async () => {
      const run = await runOf({
        actions: [
          {
            name: 'ok',
            http: {
              url: `${service.url}/ok`,
              method: 'post',
              username: 'ann',
              password: 'hunter2-password',
              body: '{"a": "{{.run.id}}"}',
            },
          },
          { name: 'bad', http: { url: `${service.url}/status/503` } },
        ],
      });
      expect(run.actions[0]).toMatchObject({ status: 'completed', result: { Code: '200 OK' } });
      expect(run.actions[1]).toMatchObject({
        status: 'failed',
        error: 'the service answered 503 Service Unavailable',
      });
      expect(service.asked.find(({ url }) => url === '/ok')).toMatchObject({ method: 'POST' });
      expect(JSON.stringify(run)).not.toContain(Buffer.from('ann:hunter2-password').toString('base64'));
    });

    it('an action for an agent that is not there fails and says so', async () => {
      const run = await runOf({ runsOn: ['edge-1'], actions: [{ name: 'a', ...exec('true') }] });
      expect(run.actions[0]).toMatchObject({ status: 'failed', error: /there is no agent "edge-1"/ });
    });

    it('the run page of the original client finds the run, its actions and their results', async () => {
      const { id, actions } = await runOf({ actions: [{ name: 'a', ...exec('echo hello') }] });
      const read = async (path: string): Promise<unknown> =>
        (await setting.editor.browser.get(`/api/db/${path}`)).json();
      const embeds =
        'created_by(id,name,avatar),playbooks(id,name,title,spec),component:components(id,name,icon),config:config_items(id,name,type,config_class),check:checks(id,name,icon)';
      expect(await read(`playbook_runs?id=eq.${id}&select=*,${embeds}`)).toMatchObject([
        { id, status: 'completed', created_by: { id: setting.editor.id }, playbooks: { title: /^playbook/ } },
      ]);
      const list = 'id,name,status,start_time,end_time,scheduled_time';
      expect(
        await read(`playbook_run_actions?select=${list}&order=start_time.asc&playbook_run_id=eq.${id}`),
      ).toMatchObject([{ id: actions[0]?.id, name: 'a', status: 'completed' }]);
      expect(await read(`playbook_run_actions?id=eq.${actions[0]?.id}&select=*`)).toMatchObject([
        { result: { stdout: 'hello', stderr: '', exitCode: 0 }, error: null },
      ]);
      expect((await setting.editor.browser.post('/api/db/playbook_runs', { playbook_id: id })).status).toBe(
        403,
      );
    });

    it('a playbook of a file is a row that follows the file; what is wrong with it is told with its line', async () => {
      const write = (text: string) => writeFile(join(folder, 'greet.yaml'), text);
      const specs = () =>
        db.rows(
          z.object({ spec: jsonObject, source: z.string() }),
          `select spec, source::text as source from playbooks where name = 'greet-file' and deleted_at is null`,
        );
      const document = (script: string) =>
        `kind: Playbook\nmetadata:\n  name: greet-file\nspec:\n  actions:\n    - name: a\n      exec:\n        ${script}\n`;
      await write(document('script: echo one'));
      await expect.poll(specs, { timeout: WAIT }).toMatchObject([{ source: 'ConfigFile' }]);
      await write(document('skript: echo two'));
      const problem = () =>
        db.text(
          `select details ->> 'errors' from job_history where name = 'SyncPlaybook' order by created_at desc limit 1`,
        );
      await expect
        .poll(problem, { timeout: WAIT })
        .toMatch(/greet\.yaml:8: spec\.actions\[0\]\.exec\.skript: .*did you mean \\"script/);
      expect(await specs()).toMatchObject([{ spec: { actions: [{ exec: { script: 'echo one' } }] } }]);
      await write(document('script: echo two'));
      await expect
        .poll(specs, { timeout: WAIT })
        .toMatchObject([{ spec: { actions: [{ exec: { script: 'echo two' } }] } }]);
      await rm(join(folder, 'greet.yaml'));
      await expect.poll(specs, { timeout: WAIT }).toEqual([]);
    });

    it('a specification is checked when it is saved, with the path of what is wrong', async () => {
      const save = async (spec: object) =>
        (
          await setting.editor.browser.post('/api/db/playbooks', { name: `bad ${kind}`, source: 'UI', spec })
        ).text();
      expect(
        await save({ actions: [{ name: 'a', exec: { script: 'x' }, http: { url: 'http://x' } }] }),
      ).toMatch(/spec\.actions\[0\]: must do exactly one thing/);
      expect(
        await save({
          parameters: [{ nmae: 'x' }],
          actions: [{ name: 'a', timeout: 'soon', exec: { script: 'x' } }],
        }),
      ).toMatch(/spec\.parameters\[0\]\.nmae.*did you mean/);
    });

    it('an address that this server does not call is refused', async () => {
      const run = await runOf({ actions: [{ name: 'a', http: { url: 'http://169.254.169.254/' } }] });
      expect(run.actions[0]).toMatchObject({ status: 'failed', error: /not allowed/ });
    });
  });
});
