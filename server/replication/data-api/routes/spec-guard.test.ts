/** Specifications that can't be read stay out of the tables, whatever the way in and whoever writes. */
import { readFileSync } from 'node:fs';
import fastGlob from 'fast-glob';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { isRecord } from '../../../../src/lib/is-record.ts';
import type { Database } from '../../../platform/db/database.ts';
import { forEachDatabase } from '../../../platform/db/test-databases.ts';
import { openTestBrowser } from '../../../../tests/security/support/test-browser.ts';
import type { TestBrowser } from '../../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../../../tests/security/support/test-server.ts';
import type { TestServer } from '../../../../tests/security/support/test-server.ts';

const FIXTURES = '../shared/fixtures';
/** Wrong on purpose or by accident, as the fixtures' README says; and the kind that is refused with its reason. */
const REFUSED = /schedule_invalid|metrics-multiple|metrics-transformed|fixtures\/pubsub-gcp/;

function documents(pattern: string, kind: string): [string, Record<string, unknown>][] {
  return fastGlob.sync(pattern, { cwd: FIXTURES }).flatMap((file) =>
    parseAllDocuments(readFileSync(`${FIXTURES}/${file}`, 'utf8')).flatMap(
      (document): [string, Record<string, unknown>][] => {
        const read: unknown = document.toJS();
        return isRecord(read) && read['kind'] === kind && !REFUSED.test(file) ? [[file, read]] : [];
      },
    ),
  );
}

const tcp = { name: 'a', endpoint: 'a:1' };
const NONSENSE: [string, unknown, string, RegExp][] = [
  ['canaries', {}, 'spec', /has no checks/],
  ['canaries', null, 'spec', /is required/],
  ['canaries', 'tcp: []', 'spec', /is required/],
  ['canaries', { htp: [] }, 'spec.htp', /did you mean "http"\?/],
  ['canaries', { http: [{ name: 'a', urll: 'http://a' }] }, 'spec.http[0].urll', /did you mean "url"\?/],
  ['canaries', { tcp: [tcp], schedule: 'rubbish' }, 'spec.schedule', /"rubbish" is not a schedule/],
  ['canaries', { kind: 'Canary', metadata: { name: 'a' }, spec: { tcp: [tcp] } }, 'spec', /whole document/],
  [
    'canaries',
    { elasticsearch: [{ name: 'a', url: 'http://a', index: 'b' }] },
    'spec.elasticsearch[0].query',
    /is required/,
  ],
  ['config_scrapers', { http: [{ url: 'http://a', type: 'A' }] }, 'spec.http[0].id', /is required/],
  ['config_scrapers', {}, 'spec', /nothing to scrape/],
  ['config_scrapers', { htp: [{ url: 'http://a' }] }, 'spec.htp', /did you mean "http"\?/],
  ['config_scrapers', { http: [{ type: 'A', id: '$.id' }] }, 'spec.http[0].url', /is required/],
  ['config_scrapers', { http: [{ urll: 'http://a' }] }, 'spec.http[0].urll', /did you mean "url"\?/],
  ['config_scrapers', { pubsub: [{ subscription: 'a' }] }, 'spec.pubsub', /gone once they are read/],
  [
    'config_scrapers',
    { http: [{ url: 'http://a' }], schedule: 'rubbish' },
    'spec.schedule',
    /not a schedule/,
  ],
  ['config_scrapers', { http: [{ url: 'http://a' }], shedule: '@hourly' }, 'spec.shedule', /schedule/],
  ['topologies', {}, 'spec.components', /is required/],
  ['topologies', { component: [{ name: 'a' }] }, 'spec.component', /did you mean "components"\?/],
  [
    'topologies',
    { components: [{ name: 'a', componets: [] }] },
    'spec.components[0].componets',
    /components/,
  ],
  ['topologies', { components: [{ name: 'a' }], schedule: 'rubbish' }, 'spec.schedule', /not a schedule/],
  ['topologies', { components: 'a' }, 'spec.components', /must be a list/],
  [
    'topologies',
    { components: [{ name: 'a', lookup: { htttp: [{ url: 'http://a' }] } }] },
    'spec.components[0].lookup.htttp',
    /did you mean "http"/,
  ],
  [
    'topologies',
    { components: [{ name: 'a', forEach: { checks: [{ inline: { http: [{ name: 'b' }] } }] } }] },
    'spec.components[0].forEach.checks[0].inline.http[0].url',
    /is required/,
  ],
  [
    'topologies',
    { components: [{ name: 'a', selectors: [{ labelSelector: 'a in b' }] }] },
    'spec.components[0].selectors[0].labelSelector',
    /is not a selector such as/,
  ],
  ['incident_rules', { componets: [] }, 'spec.componets', /did you mean "components"\?/],
  ['teams', { responder_client: {} }, 'spec.responder_client', /did you mean "responder_clients"\?/],
];

forEachDatabase((kind, open) => {
  describe(`writing specifications on ${kind}`, () => {
    let db: Database;
    let server: TestServer;
    let admin: TestBrowser;
    let viewer: TestBrowser;
    let adminId = '';
    beforeAll(async () => {
      db = await open();
      server = await startTestServer(db);
      const account = await server.account('admin');
      adminId = account.id;
      admin = await signedIn(account.email);
      viewer = await signedIn((await server.account('viewer')).email);
    });
    afterAll(() => server.stop());
    async function signedIn(email: string): Promise<TestBrowser> {
      const browser = openTestBrowser(server.url);
      await browser.signIn(email, PASSWORD);
      return browser;
    }
    const rowOf = (table: string, name: string, spec: unknown) => ({
      name,
      spec,
      ...(table === 'incident_rules' ? {} : { source: 'UI' }),
      ...(table === 'canaries' || table === 'topologies' ? { namespace: 'default' } : {}),
      created_by: adminId,
    });
    const count = (table: string) => db.text(`select count(*)::text from ${table}`);

    it.each(NONSENSE)('%s refuses %j, naming %s', async (table, spec, field, message) => {
      const before = await count(table);
      const bad = rowOf(table, 'bad', spec);
      for (const body of [bad, [bad]]) {
        const answer = await admin.post(`/api/db/${table}`, body);
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({ error: expect.stringMatching(message), field });
      }
      const nobody = `/api/db/${table}?id=eq.018f0000-0000-0000-0000-000000000000`;
      const change = await admin.send('PATCH', nobody, { body: JSON.stringify({ spec }) });
      expect(change.status).toBe(400);
      expect(await count(table)).toBe(before);
    });

    it('one bad row among good ones stores none', async () => {
      const rows = [rowOf('canaries', 'one', { tcp: [tcp] }), rowOf('canaries', 'two', { tcp: [{}] })];
      const answer = await admin.post('/api/db/canaries', rows);
      expect(await answer.json()).toMatchObject({ field: 'spec.tcp[0].endpoint' });
      expect(await db.rows(z.unknown(), `select 1 as one from canaries where name = 'one'`)).toEqual([]);
    });

    it('who may not write hears that, not what would be wrong', async () => {
      const answer = await viewer.post('/api/db/canaries', rowOf('canaries', 'x', {}));
      expect(answer.status).toBe(403);
    });

    it.each([
      ['canaries', 'canaries/**/*.yaml', 'Canary', 80],
      ['topologies', 'topologies/*.y*ml', 'Topology', 9],
      ['config_scrapers', 'scrapers/fixtures/*.yaml', 'ScrapeConfig', 25],
    ])('%s takes every real specification', async (table, pattern, documentKind, least) => {
      const found = documents(pattern, documentKind);
      expect(found.length).toBeGreaterThanOrEqual(least);
      const refused: string[] = [];
      for (const [index, [file, { spec }]] of found.entries()) {
        const answer = await admin.post(`/api/db/${table}`, rowOf(table, `real-${index}`, spec));
        if (answer.status !== 201) refused.push(`${file}: ${await answer.text()}`);
      }
      expect(refused).toEqual([]);
    });
  });
});
