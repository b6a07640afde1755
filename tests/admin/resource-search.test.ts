/** `POST /resources/search` on the shared data set (schema §5.1): its own cases first, then each part of a selector. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { isSelected } from '../../server/catalog/search/selector-query.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import type { TestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';
import { DATASET, loadFixtureRows } from './support/fixture-rows-query.ts';

interface Found {
  id: string;
  agent: string;
  name: string;
  namespace: string;
  type: string;
  icon?: string;
  tags?: Record<string, string>;
}
type Answer = Partial<Record<string, Found[]>>;

interface SearchCase {
  name: string;
  request: Record<string, unknown>;
  expect_contains: Record<string, string[]>;
}

const cases = readFileSync(join(DATASET, 'cases', 'resource_search.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as SearchCase);

const TABLES = `people agents connections topologies components config_scrapers config_items config_changes
  canaries checks playbooks`.split(/\s+/);
const NODE_B = 'e2eee150-176f-5e80-b18b-eb54a254ee24';
const API_CHECK = '0186b7a4-0593-73e9-7e3d-5b3446336c1d';

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let admin: TestBrowser;
  let viewer: TestBrowser;

  async function signedIn(role: string): Promise<TestBrowser> {
    const { email } = await server.account(role);
    const browser = openTestBrowser(server.url);
    await browser.signIn(email, PASSWORD);
    return browser;
  }

  async function search(request: object): Promise<Answer> {
    const answer = await admin.post('/api/resources/search', request);
    expect(answer.status).toBe(200);
    return (await answer.json()) as Answer;
  }

  async function names(kind: string, ...selectors: object[]): Promise<string[]> {
    return ((await search({ [kind]: selectors }))[kind] ?? []).map(({ name }) => name);
  }

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    await loadFixtureRows(server.db, TABLES);
    admin = await signedIn('admin');
    viewer = await signedIn('viewer');
  });
  afterAll(() => server.stop());

  describe('the cases of the data set', () => {
    it('are all there', () => expect(cases).toHaveLength(26));

    it.each(cases)('$name', async ({ request, expect_contains: expected }) => {
      const answer = await search(request);
      expect(Object.keys(answer).toSorted()).toEqual(Object.keys(expected).toSorted());
      for (const [kind, ids] of Object.entries(expected))
        expect((answer[kind] ?? []).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    });
  });

  it('a row says what the contract lists, with tags of configs and labels of checks', async () => {
    expect(await search({ configs: [{ id: NODE_B }], checks: [{ id: API_CHECK }] })).toEqual({
      configs: [
        {
          id: NODE_B,
          agent: '00000000-0000-0000-0000-000000000000',
          name: 'node-b',
          namespace: '',
          type: 'Kubernetes::Node',
          tags: { account: 'flanksource', cluster: 'aws' },
        },
      ],
      checks: [
        {
          id: API_CHECK,
          agent: '00000000-0000-0000-0000-000000000000',
          name: 'logistics-api-health-check',
          namespace: 'logistics',
          type: 'http',
          tags: expect.objectContaining({ app: 'logistics', env: 'production' }) as unknown,
        },
      ],
    });
  });

  it('a selector that says nothing finds nothing, and nothing found is an empty answer', async () => {
    expect(await search({ configs: [{}] })).toEqual({});
    expect(await search({ configs: [{ name: 'nobody' }], checks: [] })).toEqual({});
    expect(await search({})).toEqual({});
  });

  it('selectors of one kind add up, parts of one selector narrow', async () => {
    expect(await names('configs', { name: 'node-a' }, { name: 'demo' })).toEqual(['demo', 'node-a']);
    expect(await names('configs', { name: 'node-a', types: ['Kubernetes::Cluster'] })).toEqual([]);
    expect(await names('configs', { name: 'node-*,!node-a' })).toEqual(['node-b']);
  });

  it.each([
    ['labels', { labelSelector: 'role=worker,storageprofile' }, ['node-b']],
    ['labels in a set', { labelSelector: 'region in (us-west-2,eu-west-1)' }, ['node-b']],
    ['labels not in a set', { labelSelector: 'role,region notin (us-west-2)' }, ['node-a']],
    ['tags', { tagSelector: 'cluster=aws,region' }, ['node-a']],
    ['fields', { fieldSelector: 'config_class=Node,type!=x' }, ['node-a', 'node-b']],
    ['a field that is a list', { fieldSelector: 'external_id in (nobody)' }, []],
    [
      'types with a refusal',
      { types: ['Kubernetes::*', '!*Pod', '!*Set'], namespace: 'missioncontrol' },
      ['logistics-api', 'logistics-ui'],
    ],
    ['a scope that is no scraper', { scope: 'nowhere', name: '*' }, []],
  ])('%s', async (_what, selector, expected) => {
    expect(await names('configs', selector)).toEqual(expected);
  });

  it.each([
    [
      'the beginning of a name',
      'LOGISTICS-ui',
      ['logistics-ui', 'logistics-ui-6c8f9b4d5e', 'logistics-ui-6c8f9b4d5e-m7n8p'],
    ],
    ['the beginning of a label', 'platform-t', ['nginx-ingress']],
    ['the beginning of a tag or label', 'flux-s', ['flux', 'infra', 'sandbox']],
    ['not the middle of a value', 'orm-team', []],
    ['not a key', 'storageprof', []],
    ['a percent sign is a percent sign', '%', []],
    ['a quote is a quote', '"', []],
    ['pairs', 'type=pod app=logistics-ui', ['logistics-ui-6c8f9b4d5e-m7n8p']],
    ['a pair and a word', 'node- storageprofile=managed', ['node-b']],
  ])('search: %s', async (_what, text, expected) => {
    expect(await names('configs', { search: text })).toEqual(expected);
  });

  it('a scope is the id or the namespace and name of what it belongs to', async () => {
    const expected = ['logistics-api-health-check', 'logistics-api-home-check'];
    expect(await names('checks', { scope: 'logistics/dummy-logistics-api-canary' })).toEqual(expected);
    expect(await names('checks', { search: 'scope=0186b7a5-a2a4-86fd-c326-3a2104a2777f' })).toEqual(expected);
  });

  it('without an agent this server is meant; all, a name or an id choose others', async () => {
    const own = await names('checks', { name: '*check' });
    expect(own).toEqual(['logistics-api-health-check', 'logistics-api-home-check', 'logistics-db-check']);
    const ofAgent = ['cart-api-health-check'];
    expect(await names('checks', { name: '*check', agent: 'all' })).toEqual([...ofAgent, ...own]);
    expect(await names('checks', { name: '*', agent: 'ebd4cbf7-267e-48f9-a050-eca12e535ce1' })).toEqual(
      ofAgent,
    );
    const [agent] = await server.db.rows(
      z.custom<{ name: string }>(),
      `select name from agents where id = 'ebd4cbf7-267e-48f9-a050-eca12e535ce1'`,
    );
    expect(await names('checks', { name: '*', agent: agent?.name })).toEqual(ofAgent);
  });

  it('deleted ones are found only when asked for', async () => {
    const gone = { name: 'cart-deleted-5m-ago', agent: 'all' };
    expect(await names('checks', gone)).toEqual([]);
    expect(await names('checks', { ...gone, includeDeleted: true })).toEqual(['cart-deleted-5m-ago']);
  });

  it('limits hold for the answer, for one selector and in the search text', async () => {
    const all = { types: ['Kubernetes::*'] };
    expect((await search({ limit: 2, configs: [all] }))['configs']).toHaveLength(2);
    expect(await names('configs', { ...all, limit: 1 }, { name: 'sandbox' })).toHaveLength(2);
    expect(await names('configs', { ...all, search: 'limit=3' })).toHaveLength(3);
  });

  it.each([
    [{ configs: [{ labelSelector: 'a in (b' }] }, 'labelSelector'],
    [{ configs: [{ fieldSelector: 'nonsense=1' }] }, 'fieldSelector: nonsense is not one of'],
    [{ configs: [{ types: 'Pod' }] }, 'configs.0.types'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 100_000 }, 'limit'],
    [{ configs: {} }, 'configs'],
    ['text', 'expected object'],
  ])('%j is refused with the field', async (request, text) => {
    const answer = await admin.post('/api/resources/search', request);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining(text) as unknown });
  });

  it('statements in the texts are texts', async () => {
    const evil = `'; drop table checks; --`;
    const selector = { name: evil, namespace: evil, types: [evil], search: evil, labelSelector: `a=${evil}` };
    expect(
      await names('configs', selector, { search: `${evil}=1` }, { fieldSelector: `name=${evil}` }),
    ).toEqual([]);
    expect(await names('checks', { name: '*api-home*' })).toEqual(['logistics-api-home-check']);
  });

  it('a kind that only admins read is refused to others, and nobody asks without signing in', async () => {
    const answer = await viewer.post('/api/resources/search', { connections: [{ name: '*' }] });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('x-rbac-object')).toBe('connection');
    expect((await viewer.post('/api/resources/search', { configs: [{ name: '*' }] })).status).toBe(200);
    expect((await openTestBrowser(server.url).post('/api/resources/search', {})).status).toBe(401);
  });

  it('one resource is told to be meant or not by a list of selectors', async () => {
    const asks = (selectors: object[]) => isSelected(server.db, 'configs', { id: NODE_B, selectors });
    expect(await asks([{ name: 'nobody' }, { types: ['node'] }])).toBe(true);
    expect(await asks([{ types: ['node'], labelSelector: '!storageprofile' }])).toBe(false);
    expect(await asks([{}])).toBe(false);
    expect(await asks([])).toBe(false);
  });
});
