/** What holds runs back: quotas, and playbooks in a circle over webhooks; and what notification actions send. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';
import { openPostgresDatabase } from '../../server/platform/db/postgres-database.ts';
import { createMigratedPostgres } from '../../server/platform/db/test-databases.ts';
import { addPlaybook, playbookSetting, readRun, runWhen } from './support/playbook-setting.ts';
import type { PlaybookSetting } from './support/playbook-setting.ts';
import { startService } from './support/services.ts';
import type { TestService } from './support/services.ts';

const WAIT = 120_000;
const MOST_BYTES = 5 * 1024 * 1024;
let db: Database;
let setting: PlaybookSetting;
let service: TestService;
let count = 0;

beforeAll(async () => {
  const url = await createMigratedPostgres();
  db = await openPostgresDatabase({ url, logger: pino({ level: 'silent' }) });
  [setting, service] = await Promise.all([
    playbookSetting(db, { egressAllow: ['127.0.0.1', 'localhost', '::1'] }),
    startService(),
  ]);
}, WAIT);
afterAll(async () => {
  await setting.server.stop();
  await service.stop();
  await db.close();
});

const add = (spec: object) => addPlaybook(db, `limits ${(count += 1)}`, spec);
const runOf = async (spec: object) => runWhen(db, await setting.press(await add(spec)));
const say = [{ name: 'say', exec: { script: 'echo hello' } }];

/** Runs of this playbook, or of this person, that no server takes up. */
const addRuns = (playbook: string, many: number, status: string, person: string | null = null) =>
  db.run(
    `insert into playbook_runs (playbook_id, spec, status, start_time, created_by)
     select id, spec, $3, now(), $4::uuid from playbooks, generate_series(1, $2::integer) where id = $1`,
    [playbook, many, status, person],
  );

it(
  'a dangerous playbook is run by hand only with the name of what it runs on, also by a program',
  async () => {
    const configId = await db.text(
      `insert into config_items (config_class, type, name, path) values ('Pod', 'Pod', 'vault-0', '') returning id::text`,
    );
    const id = await add({ dangerous: true, configs: [{ types: ['Pod'] }], actions: say });
    const ask = async (body: object) => {
      const answer = await setting.editor.browser.post('/api/playbook/run', { id, ...body });
      return { status: answer.status, ...((await answer.json()) as { error?: string }) };
    };
    // As the original client calls it.
    const plain = await ask({ config_id: configId, params: {} });
    expect(plain.status).toBe(400);
    expect(plain.error).toBe(
      'confirm: this playbook is marked as dangerous; run it from its page in Holdfast, or send what it runs on by name: "confirm": "vault-0"',
    );
    const other = await ask({ config_id: configId, confirm: 'vault-1' });
    expect(other.error).toMatch(/what it runs on is called "vault-0"/);
    // About nothing, it is the playbook's own name.
    expect(await ask({ confirm: 'vault-0' })).toMatchObject({ status: 400 });
    expect(await db.text('select count(*)::text from playbook_runs where playbook_id = $1', [id])).toBe('0');
    const dry = await setting.editor.browser.post(`/api/playbook/${id}/dry-run`, { config_id: configId });
    expect(dry.status).toBe(200);
    for (const body of [{ config_id: configId, confirm: ' vault-0 ' }, { confirm: `limits ${count}` }])
      expect(await runWhen(db, await setting.press(id, body))).toMatchObject({ status: 'completed' });
  },
  WAIT,
);

it(
  'a script that writes more than it may is stopped, and what is kept of it is bounded',
  async () => {
    const run = await runOf({
      actions: [{ name: 'a', exec: { script: 'yes "a line of output"; echo after' } }],
    });
    expect(run.actions[0]).toMatchObject({
      status: 'failed',
      error: `wrote more than ${MOST_BYTES} bytes and was stopped`,
    });
    const stdout = z.string().parse(run.actions[0]?.result?.['stdout']);
    expect(stdout.length).toBeLessThanOrEqual(MOST_BYTES);
    expect(stdout).not.toContain('after');
  },
  WAIT,
);

it(
  'as many runs of a playbook, and of a person, are under way as may be; the next one waits its turn',
  async () => {
    const [crowded, other] = [await add({ actions: say }), await add({ actions: say })];
    for (const [playbook, person] of [
      [crowded, null],
      [other, setting.editor.id],
    ] as const) {
      await addRuns(playbook, 100, 'running', person);
      const waiting = await setting.press(crowded);
      // It is looked at each second.
      await new Promise((resolve) => setTimeout(resolve, 2500));
      expect(await readRun(db, waiting)).toMatchObject({ status: 'scheduled', actions: [] });
      await db.run(
        `update playbook_runs set status = 'completed' where playbook_id = $1 and status = 'running'`,
        [playbook],
      );
      expect((await runWhen(db, waiting)).status).toBe('completed');
    }
  },
  WAIT,
);

it(
  'somebody with a thousand runs that are not over starts no other',
  async () => {
    const id = await add({ actions: say });
    await addRuns(id, 1000, 'sleeping', setting.editor.id);
    await expect(setting.press(id)).rejects.toThrow(/^429 you have 1000 runs that are not over/);
    await db.run('delete from playbook_runs where playbook_id = $1', [id]);
    expect((await runWhen(db, await setting.press(id))).status).toBe('completed');
  },
  WAIT,
);

const basic = { username: 'hook', password: 'the password of the hooks' };
const authorization = `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`;
const hooked = (path: string, calls: string, headers: Record<string, string> = {}) => ({
  on: { webhook: { path, authentication: { basic } } },
  actions: [
    {
      name: 'call',
      http: {
        url: `${setting.server.url}/api/playbook/webhook/${calls}`,
        method: 'POST',
        ...basic,
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      },
    },
  ],
});
const runsOf = (playbook: string) =>
  db.rows(
    z.object({ id: z.string(), status: z.string(), error: z.string().nullable() }),
    'select id, status, error from playbook_runs where playbook_id = $1 order by created_at, id',
    [playbook],
  );

it(
  'a playbook that calls its own webhook is stopped at the first turn, and both runs say so',
  async () => {
    // It can't hide the run that it calls from.
    const id = await add(
      hooked('again', 'again', { 'X-Holdfast-Run': '0190f0e0-0000-7000-8000-000000000000' }),
    );
    const run = await runWhen(db, await setting.press(id));
    expect(run).toMatchObject({
      status: 'failed',
      actions: [
        { error: 'the service answered 409 Conflict', result: { Body: /was set off by what it did itself/ } },
      ],
    });
    const [, stopped, ...more] = await runsOf(id);
    expect(stopped).toMatchObject({
      status: 'failed',
      error: /^Stopped: this playbook was set off by what it did itself/,
    });
    expect(more).toEqual([]);
  },
  WAIT,
);

it(
  'two playbooks that call each other are stopped where they come round',
  async () => {
    const [there, back] = [await add(hooked('there', 'back')), await add(hooked('back', 'there'))];
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${setting.server.url}/api/playbook/webhook/there`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(answer.status).toBe(201);
    const ended = async () => [...(await runsOf(there)), ...(await runsOf(back))].map(({ status }) => status);
    await expect.poll(ended, { timeout: WAIT }).toEqual(['completed', 'failed', 'failed']);
    expect((await runsOf(there))[1]?.error).toMatch(/^Stopped: .*limits \d+ → limits \d+ → limits \d+/);
  },
  WAIT,
);

it(
  'a notification action sends its message, filled in; one that is not taken fails and says why',
  async () => {
    const send = (path: string) => ({
      notification: {
        url: `generic+${service.url}${path}`,
        title: 'About {{.params.who}}',
        message: '{{ (getAction "say").result.stdout }} "{{.params.who}}"',
      },
    });
    const id = await add({
      parameters: [{ name: 'who' }],
      actions: [
        ...say,
        { name: 'tell', ...send('/told') },
        { name: 'again', ...send('/status/500') },
        { name: 'circle', if: 'always()', ...send('/api/playbook/webhook/x') },
      ],
    });
    const run = await runWhen(db, await setting.press(id, { params: { who: 'A "quoted" name' } }));
    const body = 'hello "A "quoted" name"';
    expect(run.actions.slice(1)).toMatchObject([
      {
        status: 'completed',
        error: null,
        result: { title: 'About A "quoted" name', message: body, sent: true },
      },
      { status: 'failed', error: /answered 500/, result: { sent: false } },
      { status: 'failed', error: /is called by an http action/ },
    ]);
    const told = service.asked.filter(({ url }) => url.startsWith('/told'));
    expect(told.map(({ method, body: sent }): unknown => [method, JSON.parse(sent)])).toMatchObject([
      ['POST', { title: 'About A "quoted" name', message: body }],
    ]);
  },
  WAIT,
);
