/** What people keep here for an agent to run: where it may be put, and that it stays there. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestBrowser, type TestBrowser } from '../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer, type TestServer } from '../../tests/security/support/test-server.ts';
import { idRow } from '../platform/db/row-schema.ts';
import { openMigratedDatabase } from '../platform/db/test-databases.ts';

const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, '0')}`;

interface TestAgent {
  id: string;
  token: string;
}

let server: TestServer;
let edge: TestAgent;
let other: TestAgent;
let gone: TestAgent;

async function signedIn(role: string): Promise<TestBrowser> {
  const browser = openTestBrowser(server.url);
  await browser.signIn((await server.account(role)).email, PASSWORD);
  return browser;
}

async function makeAgent(admin: TestBrowser, name: string): Promise<TestAgent> {
  const made = await (await admin.post('/api/agent/generate', { name })).json();
  const { id, access_token: token } = made as { id: string; access_token: string };
  const [row] = await server.db.rows(idRow, 'select id from agents where person_id = $1', [id]);
  return { id: row?.id ?? '', token };
}

async function pulled({ token }: TestAgent): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`;
  return (await fetch(`${server.url}/upstream/canary/pull`, { headers: { authorization } })).json();
}

beforeAll(async () => {
  server = await startTestServer(await openMigratedDatabase('postgres'));
  const admin = await signedIn('admin');
  edge = await makeAgent(admin, 'edge-1');
  other = await makeAgent(admin, 'edge-2');
  gone = await makeAgent(admin, 'edge-gone');
  await server.db.run('update agents set deleted_at = now() where id = $1::uuid', [gone.id]);
});
afterAll(() => server.stop());

it('what somebody keeps for an agent goes to one that is there, once by its name, and stays with it', async () => {
  const editor = await signedIn('editor');
  const spec = { http: [{ name: 'in', url: 'https://example.com', password: { value: 's3cret' } }] };
  const kept = (fields: object = {}) => ({
    name: 'kept-here',
    namespace: 'default',
    source: 'UI',
    spec,
    agent_id: edge.id,
    ...fields,
  });
  /** The column as forms read it of the details. */
  const refused = async (sent: Promise<Response>) => {
    const answer = await sent;
    const { details } = (await answer.json()) as { details?: string };
    return [answer.status, /^Key \((\w+)/.exec(details ?? '')?.[1] ?? null];
  };
  const add = (row: object) => editor.post('/api/db/canaries', row);
  expect((await add(kept({ id: idOf('e3') }))).status).toBe(201);
  expect(await pulled(edge)).toMatchObject({ canaries: [{ id: idOf('e3'), name: 'kept-here', spec }] });

  expect(await refused(add(kept()))).toEqual([409, 'name']);
  expect((await add(kept({ agent_id: other.id }))).status).toBe(201);
  for (const agentId of [gone.id, idOf('fade')])
    expect(await refused(add(kept({ agent_id: agentId, name: 'nowhere' })))).toEqual([400, 'agent_id']);
  const scraper = { name: 'x', source: 'UI', spec: { file: [{ type: 'T', id: '$.id', paths: ['x'] }] } };
  expect(await refused(editor.post('/api/db/config_scrapers', { ...scraper, agent_id: gone.id }))).toEqual([
    400,
    'agent_id',
  ]);
  const patch = (id: string, fields: object) =>
    editor.send('PATCH', `/api/db/canaries?id=eq.${id}`, { body: JSON.stringify(fields) });
  // Nor does one get there by another name, by another namespace or out of what was deleted.
  expect((await add(kept({ id: idOf('e4'), name: 'second' }))).status).toBe(201);
  expect(await refused(patch(idOf('e4'), { name: 'kept-here' }))).toEqual([409, 'name']);
  expect((await patch(idOf('e4'), { name: 'kept-here', namespace: 'apart' })).status).toBe(204);
  expect(await refused(patch(idOf('e4'), { namespace: 'default' }))).toEqual([409, 'name']);
  expect((await patch(idOf('e4'), { namespace: 'default', deleted_at: 'now()' })).status).toBe(204);
  expect(await refused(patch(idOf('e4'), { deleted_at: null }))).toEqual([409, 'name']);
  const two = [kept({ name: 'twice' }), kept({ name: 'twice' })];
  expect(await refused(editor.post('/api/db/canaries', two))).toEqual([409, 'name']);
  // Its secrets would come along.
  expect((await patch(idOf('e3'), { agent_id: other.id })).status).toBe(400);
  const viewer = await signedIn('viewer');
  expect((await viewer.post('/api/db/canaries', kept({ name: 'viewed' }))).status).toBe(403);
});
