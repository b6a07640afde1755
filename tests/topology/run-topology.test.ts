/** A topology over HTTP: what somebody adds is built when asked, and everybody's page hears of it. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../server/platform/db/database.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import { readChanges } from '../../server/replication/change-log/change-feed.ts';
import { readState } from '../../server/replication/change-log/state-query.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../security/support/test-server.ts';
import type { TestServer } from '../security/support/test-server.ts';

vi.setConfig({ testTimeout: 60_000 });

const NOBODY = '018f4c4e-0000-7000-8000-000000000001';

forEachDatabase((_kind, open) => {
  let db: Database;
  let server: TestServer;
  let lookups: 'work' | 'fail' = 'work';

  beforeAll(async () => {
    db = await open();
    server = await startTestServer(db, {
      lookups: {
        lookUp: () =>
          Promise.resolve([
            lookups === 'work'
              ? { check: 'http "nodes"', output: '[{"name": "n1", "type": "Node"}]', error: null }
              : { check: 'http "nodes"', output: null, error: 'the service is away' },
          ]),
      },
    });
  });
  afterAll(() => server.stop());

  const signedIn = async (role: string) => {
    const browser = openTestBrowser(server.url);
    const { email, id } = await server.account(role);
    await browser.signIn(email, PASSWORD);
    return { browser, id };
  };

  test('an editor adds one and builds it; pages hear of its components; a failing lookup is told', async () => {
    const { browser, id: person } = await signedIn('editor');
    const { epoch, head } = await readState(db);
    const added = await browser.send('POST', '/api/db/topologies', {
      headers: { prefer: 'return=representation' },
      body: JSON.stringify({
        name: 'shop',
        namespace: 'default',
        source: 'UI',
        created_by: person,
        spec: {
          schedule: '@never',
          components: [
            { name: 'nodes', order: 3, lookup: { http: [{ name: 'nodes', url: 'http://nodes.example' }] } },
          ],
        },
      }),
    });
    expect(added.status).toBe(201);
    const [{ id }] = (await added.json()) as [{ id: string }];

    const built = await browser.post(`/api/canary/run/topology/${id}`);
    expect([built.status, await built.json()]).toEqual([
      200,
      { status: 'SUCCESS', summary: { components: 3, added: 3, changed: 0, deleted: 0 }, errors: [] },
    ]);
    const shown = await browser.get('/api/canary/api/topology?flatten=true&sortBy=name');
    const { components } = (await shown.json()) as { components: { name: string; order?: number }[] };
    expect(components.map(({ name, order }) => [name, order])).toEqual([
      ['n1', undefined],
      ['nodes', 3],
      ['shop', undefined],
    ]);
    const feed = await readChanges(
      db,
      { readable: ['components'], now: () => 0 },
      { cursor: `${epoch}.${head}`, limit: 100, collections: null },
    );
    if (feed.kind !== 'page') throw new Error(feed.reason);
    expect(feed.changes).toHaveLength(3);

    lookups = 'fail';
    const failed = await browser.post(`/api/canary/run/topology/${id}`);
    const errors = ['components[0].lookup: http "nodes": the service is away'];
    expect(await failed.json()).toMatchObject({ status: 'WARNING', errors });
    lookups = 'work';
    const jobs = await browser.get(
      `/api/db/job_histories?resource_id=eq.${id}&select=name,status,resource_type,details&order=time_start.desc&limit=1`,
    );
    expect(await jobs.json()).toMatchObject([
      { name: 'Topology', status: 'WARNING', resource_type: 'topology', details: { errors } },
    ]);
  });

  test('a viewer builds nothing; what is not there or refused is told apart', async () => {
    const viewer = (await signedIn('viewer')).browser;
    expect((await viewer.post(`/api/canary/run/topology/${NOBODY}`)).status).toBe(403);
    const { browser } = await signedIn('editor');
    expect((await browser.post(`/api/canary/run/topology/${NOBODY}`)).status).toBe(404);
    expect((await browser.post('/api/canary/run/topology/nonsense')).status).toBe(404);
    const id = await db.text(
      `with made as (insert into topologies (name, namespace, spec) values ('bad', 'default', '{"components": 1}') returning id)
       select id::text from made`,
    );
    const refused = await browser.post(`/api/canary/run/topology/${id}`);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('its job history says why'),
    ]);
  });
});
