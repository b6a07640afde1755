/** What the pages of playbooks ask the server for besides the contract: schemas of other hosts, runs by their duration. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { addPlaybook, playbookSetting, runWhen } from './support/playbook-setting.ts';
import type { PlaybookSetting } from './support/playbook-setting.ts';
import { startService } from './support/services.ts';
import type { TestService } from './support/services.ts';

let db: Database;
let service: TestService;
let setting: PlaybookSetting;

beforeAll(async () => {
  db = await openMigratedDatabase('postgres');
  service = await startService();
  setting = await playbookSetting(db, { egressAllow: ['127.0.0.1'] });
});
afterAll(async () => {
  await setting.server.stop();
  await service.stop();
  await db.close();
});

const codeOf = (name: string, jsonSchemaUrl?: string) => ({
  name,
  type: 'code',
  properties: jsonSchemaUrl === undefined ? {} : { jsonSchemaUrl },
});
const asks = (who: PlaybookSetting['editor'], id: string, parameter: string) =>
  who.browser.get(`/api/playbook/${id}/parameter-schema?parameter=${encodeURIComponent(parameter)}`);

it('the schema of a code parameter is read by the server, through its guard, and why it could not be is said', async () => {
  const { host } = new URL(service.url);
  const parameters = [
    codeOf('good', `${service.url.replace('http://', 'http://user:key@')}/values.json`),
    codeOf('gone', `${service.url}/status/404`),
    codeOf('inside', 'http://169.254.169.254/latest/meta-data'),
    codeOf('typed', 'no address'),
    codeOf('none'),
  ];
  const actions = [{ name: 'say', exec: { script: 'echo' } }];
  const id = await addPlaybook(db, 'with schemas', { parameters, actions });
  const good = await asks(setting.editor, id, 'good');
  expect([good.status, await good.json()]).toEqual([200, { echo: null }]);
  const why = async (parameter: string): Promise<[number, string]> => {
    const answer = await asks(setting.editor, id, parameter);
    return [answer.status, z.object({ error: z.string() }).parse(await answer.json()).error];
  };
  expect(await why('gone')).toEqual([400, `jsonSchemaUrl: ${host} could not be read: it answered HTTP 404`]);
  const [status, refusal] = await why('inside');
  expect([status, refusal]).toEqual([
    400,
    expect.stringMatching(/^jsonSchemaUrl: 169\.254\.169\.254 could not/),
  ]);
  expect(await why('typed')).toEqual([400, 'jsonSchemaUrl: "no address" is not an address']);
  expect((await why('none'))[0]).toBe(404);
  expect((await why('unheard-of'))[0]).toBe(404);
  // Nothing of who asks goes along, and who may not run playbooks has nothing asked for.
  expect(service.asked.find(({ url }) => url === '/values.json')?.headers).not.toHaveProperty(
    'authorization',
  );
  const viewer = await setting.signIn('viewer');
  expect((await asks(viewer, id, 'good')).status).toBe(403);
});

it('runs are ordered by how long they took, with what they are about beside them', async () => {
  const shows = { actions: [{ name: 'wait', exec: { script: 'sleep $PARAM_SECONDS' } }] };
  const id = await addPlaybook(db, 'takes time', { parameters: [{ name: 'seconds' }], ...shows });
  const ids: string[] = [];
  for (const seconds of ['0.4', '0', '0.8']) {
    ids.push(await setting.press(id, { params: { seconds } }));
    await runWhen(db, ids.at(-1) ?? '');
  }
  const select = 'id,duration_ms,playbooks(id,title),config:config_items(id),created_by(id)';
  const answer = await setting.editor.browser.get(
    `/api/db/playbook_runs_timed?select=${select}&playbook_id=eq.${id}&order=duration_ms.desc.nullslast`,
  );
  const rows = z
    .array(z.object({ id: z.string(), duration_ms: z.number(), playbooks: z.object({ title: z.string() }) }))
    .parse(await answer.json());
  expect(rows.map((row) => row.id)).toEqual([ids[2], ids[0], ids[1]]);
  expect(rows[0]?.duration_ms).toBeGreaterThan(700);
});

it('defaults that the dialog shows see what the run would see', async () => {
  const parameters = [{ name: 'note', default: '{{.user.name}} at {{.agent.name}}, {{.playbook.title}}' }];
  const id = await addPlaybook(db, 'notes', {
    parameters,
    actions: [{ name: 'a', exec: { script: 'true' } }],
  });
  const answer = await setting.editor.browser.post(`/api/playbook/${id}/params`, { id });
  const { params } = z
    .object({ params: z.array(z.object({ default: z.string() })) })
    .parse(await answer.json());
  const run = await runWhen(db, await setting.press(id));
  expect(params[0]?.default).toMatch(/^.+ at local, notes$/);
  expect(run.parameters).toEqual({ note: params[0]?.default });
});
