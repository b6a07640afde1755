/** Actions that an agent does: two servers, each with its own database, and HTTP between them (schema §8.1). */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { runAgent } from '../../server/agents/program/run-agent.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { createLeases } from '../../server/platform/jobs/leases.ts';
import { nodePlatform } from '../../server/platform/platform.ts';
import { startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';
import { addPlaybook, playbookSetting, runWhen } from './support/playbook-setting.ts';
import type { PlaybookSetting, TestRun } from './support/playbook-setting.ts';

const WAIT = 90_000;
const madeAgent = z.object({ id: z.string(), access_token: z.string() });

let db: Database;
let setting: PlaybookSetting;
let siteDb: Database;
let site: TestServer;
let token = '';
let folder = '';
let stopAgent: () => Promise<void> = () => Promise.resolve();
let count = 0;

async function makeAgent(name: string): Promise<string> {
  const admin = await setting.signIn('admin');
  const answer = await admin.browser.post('/api/agent/generate', { name });
  return madeAgent.parse(await answer.json()).access_token;
}

/** The agent's loops, on the site's database. */
function startAgent(): void {
  const stop = new AbortController();
  const logger = pino({ level: 'silent' });
  const leases = createLeases({ db: siteDb, platform: nodePlatform, logger, isAlone: true });
  const upstream = { url: setting.server.url, user: 'token', password: token, agentName: 'edge' };
  const parts = { ...site.backend, notifier: site.notifier, platform: nodePlatform, logger, leases };
  const running = runAgent({ ...parts, settings: { upstream } }, stop.signal);
  stopAgent = async () => {
    stop.abort();
    await running;
  };
}

beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
  siteDb = await openMigratedDatabase('postgres');
  setting = await playbookSetting(db);
  site = await startTestServer(siteDb, { playbooks: { isExecAllowed: true } });
  token = await makeAgent('edge');
  folder = await mkdtemp(join(tmpdir(), 'holdfast-agent-actions-'));
  startAgent();
}, WAIT);
afterAll(async () => {
  await stopAgent();
  await site.stop();
  await setting.server.stop();
  await rm(folder, { recursive: true, force: true });
});

const exec = (script: string) => ({ exec: { script } });
const press = async (spec: object, body: object = {}) =>
  setting.press(await addPlaybook(db, `on an agent ${(count += 1)}`, spec), body);
const rowsOf = async (query: string) => {
  const answer = await setting.editor.browser.get(`/api/db/${query}`);
  return z.array(z.looseObject({ id: z.string() })).parse(await answer.json());
};
const isRunning = ({ actions }: TestRun) => actions.at(-1)?.status === 'running';

it(
  'does an action with what its templates see, tells its lines and leaves its files here',
  async () => {
    const marker = join(folder, 'where');
    const id = await press(
      {
        parameters: [{ name: 'place' }],
        env: [{ name: 'WORD', value: 'hello' }],
        actions: [
          { name: 'here', ...exec('printf "first {{ .agent.name }}"') },
          {
            name: 'there',
            runsOn: ['{{ .params.place }}'],
            exec: {
              script: `echo "$WORD {{ .agent.name }} {{ .params.place }} {{ (getAction "here").result.stdout }}"; echo x >> ${marker}; echo file > out.txt`,
              artifacts: [{ path: 'out.txt' }],
            },
          },
          {
            name: 'after',
            if: 'success()',
            ...exec('printf "{{ getLastAction.result.exitCode }} {{ .agent.name }}"'),
          },
        ],
      },
      { params: { place: 'edge' } },
    );
    const run = await runWhen(db, id);
    expect(await rowsOf(`playbook_runs?select=id,agents(name)&id=eq.${id}`)).toMatchObject([
      { agents: { name: 'edge' } },
    ]);
    expect(run).toMatchObject({
      status: 'completed',
      actions: [
        { status: 'completed' },
        { status: 'completed', error: null, result: { stdout: 'hello edge edge first local', exitCode: 0 } },
        { status: 'completed', result: { stdout: '0 edge' } },
      ],
    });
    expect(await readFile(marker, 'utf8')).toBe('x\n');
    expect(await siteDb.text('select count(*)::text from playbook_run_actions')).toBe('1');
    await expect
      .poll(
        () =>
          db.text(
            `select convert_from(content, 'UTF8') from artifacts join artifact_contents on artifact_id = artifacts.id
              where playbook_run_action_id = $1 and filename = 'out.txt'`,
            [run.actions[1]?.id ?? ''],
          ),
        { timeout: WAIT },
      )
      .toBe('file\n');
  },
  WAIT,
);

it(
  'a run is its first agent’s, is listed and counted there, and may be asked for at one',
  async () => {
    const playbook = await addPlaybook(db, 'where it is asked for', {
      runsOn: ['{{ .agent.name }}'],
      actions: [{ name: 'a', ...exec('printf "at {{ .agent.name }}"') }],
    });
    const [edge] = await rowsOf('agents?select=id&name=eq.edge');
    const listed = () => rowsOf(`playbook_runs?select=id&playbook_id=eq.${playbook}&agent_id=eq.${edge?.id}`);
    const here = await runWhen(db, await setting.press(playbook));
    expect(here.actions).toMatchObject([{ result: { stdout: 'at local' } }]);
    expect(await listed()).toEqual([]);
    const there = await runWhen(db, await setting.press(playbook, { agent_id: edge?.id }));
    expect(there.actions).toMatchObject([{ result: { stdout: 'at edge' } }]);
    // What it is about comes from there.
    const item = await db.text(
      `insert into config_items (name, type, config_class, external_id, agent_id)
       values ('its', 'Test::Thing', 'Test', '{its}', $1) returning id::text`,
      [edge?.id ?? ''],
    );
    const about = await runWhen(db, await setting.press(playbook, { config_id: item }));
    expect(about.actions).toMatchObject([{ result: { stdout: 'at edge' } }]);
    expect((await listed()).map(({ id }) => id).toSorted()).toEqual([there.id, about.id].toSorted());
    const counted = await rowsOf(`agents_summary?select=id,playbook_runs_count&id=eq.${edge?.id}`);
    expect(counted).toMatchObject([{ playbook_runs_count: expect.any(Number) }]);
    const nowhere = setting.press(playbook, { agent_id: nodePlatform.newId() });
    await expect(nowhere).rejects.toThrow(/400 agent_id: there is no agent/);
  },
  WAIT,
);

it(
  'tells lines while it runs, and a cancel here ends it there with all that it started',
  async () => {
    const pidFile = join(folder, 'pid');
    const id = await press({
      runsOn: ['edge'],
      actions: [{ name: 'slow', ...exec(`echo $$ > ${pidFile}; echo first; sleep 300`) }],
    });
    const first = await setting.output(id, 0, 25_000);
    expect(first).toMatchObject({ pieces: [{ action_name: 'slow', content: 'first\n' }] });
    await setting.editor.browser.post(`/api/playbook/run/${id}/cancel`);
    const run = await runWhen(db, id);
    expect(run).toMatchObject({ status: 'cancelled', actions: [{ status: 'failed', error: 'Cancelled' }] });
    const pid = (await readFile(pidFile, 'utf8')).trim();
    await expect.poll(() => existsSync(`/proc/${pid}/exe`), { timeout: WAIT }).toBe(false);
  },
  WAIT,
);

it(
  'an agent that stops in the middle says that it was interrupted, and does it no second time',
  async () => {
    const marker = join(folder, 'once');
    const id = await press({
      runsOn: ['edge'],
      actions: [
        { name: 'half', ...exec(`echo begun; echo x >> ${marker}; sleep 300`) },
        { name: 'tidy', if: 'failure()', runsOn: ['local'], ...exec('printf tidied') },
      ],
    });
    await runWhen(db, id, isRunning);
    await expect.poll(() => existsSync(marker), { timeout: WAIT }).toBe(true);
    await stopAgent();
    startAgent();
    const run = await runWhen(db, id);
    expect(run).toMatchObject({
      status: 'failed',
      actions: [
        { status: 'failed', error: expect.stringMatching(/Interrupted/), result: { interrupted: true } },
        { status: 'completed', result: { stdout: 'tidied' } },
      ],
    });
    expect(await readFile(marker, 'utf8')).toBe('x\n');
  },
  WAIT,
);

it(
  'an agent that was killed finds what it had begun, and an answer that was lost is given again',
  async () => {
    await stopAgent();
    const marker = join(folder, 'lost');
    const id = await press({ runsOn: ['edge'], actions: [{ name: 'a', ...exec(`echo x >> ${marker}`) }] });
    await runWhen(db, id, ({ actions }) => actions[0]?.status === 'waiting');
    const claim = await siteDb.text('select action_claim::text from upstream_link');
    const authorization = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`;
    const pull = (word: string) =>
      fetch(`${setting.server.url}/upstream/playbook-action?claim=${word}&wait=0`, {
        headers: { authorization },
      });
    // The line is cut before the answer; another process with the same token gets nothing.
    const lost = (await (await pull(claim ?? '')).json()) as { id: string };
    expect((await pull(nodePlatform.newId())).status).toBe(204);
    // Killed after it was noted as begun: never again.
    const dead = await press({
      runsOn: ['edge'],
      actions: [{ name: 'b', ...exec(`echo dead >> ${marker}`) }],
    });
    await runWhen(db, dead, ({ actions }) => actions[0]?.status === 'waiting');
    const begun = (await (await pull(nodePlatform.newId())).json()) as { id: string };
    await siteDb.run(`insert into playbook_run_actions (id, name, status) values ($1, 'b', 'running')`, [
      begun.id,
    ]);
    startAgent();
    expect(await runWhen(db, id)).toMatchObject({ status: 'completed', actions: [{ id: lost.id }] });
    expect((await runWhen(db, dead)).actions[0]).toMatchObject({ result: { interrupted: true } });
    expect(await readFile(marker, 'utf8')).toBe('x\n');
  },
  WAIT,
);

it(
  'an agent that is silent lets nobody wait for ever: the run says which, and what it says later is kept',
  async () => {
    await makeAgent('mute');
    const never = await press({ runsOn: ['mute'], actions: [{ name: 'a', timeout: '1s', ...exec('true') }] });
    expect((await runWhen(db, never)).actions[0]).toMatchObject({
      status: 'failed',
      error: 'The agent "mute" did not take this within its time; it was never heard. It was not run.',
      result: { timedOut: true },
    });
    await stopAgent();
    const id = await press({ runsOn: ['edge'], actions: [{ name: 'a', ...exec('echo late') }] });
    await runWhen(db, id, ({ actions }) => actions[0]?.status === 'waiting');
    const claim = await siteDb.text('select action_claim::text from upstream_link');
    const authorization = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`;
    await fetch(`${setting.server.url}/upstream/playbook-action?claim=${claim}`, {
      headers: { authorization },
    });
    await db.run('update playbook_runs set scheduled_time = now() where id = $1', [id]);
    const run = await runWhen(db, id);
    expect(run.actions[0]?.error).toMatch(/The agent "edge" took this and did not say within its time/);
    await fetch(`${setting.server.url}/upstream/push`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        playbook_actions: [{ id: run.actions[0]?.id, status: 'completed', result: { stdout: 'late' } }],
      }),
    });
    expect((await runWhen(db, id)).actions[0]).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/It said later: completed\.$/),
      result: { stdout: 'late' },
    });
    startAgent();
  },
  WAIT,
);

it(
  'secrets of the server are not read there, scripts only where the agent allows them, and viewers start nothing',
  async () => {
    const id = await press({
      runsOn: ['edge'],
      actions: [
        {
          name: 'secret',
          exec: {
            script: 'true',
            env: [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'ours', key: 'key' } } }],
          },
        },
      ],
    });
    expect((await runWhen(db, id)).actions[0]?.error).toMatch(/secret ours/);
    const playbook = await addPlaybook(db, 'not for viewers', {
      runsOn: ['edge'],
      actions: [{ name: 'a', ...exec('true') }],
    });
    const viewer = await setting.signIn('viewer');
    expect((await viewer.browser.post('/api/playbook/run', { id: playbook })).status).toBe(403);
    expect((await viewer.browser.get('/api/upstream/playbook-action?wait=0')).status).toBe(403);
  },
  WAIT,
);
