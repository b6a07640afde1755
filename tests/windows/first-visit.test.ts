/**
 * The law of a first visit: what the server says of a page's first window is what the compute worker says of the same
 * rows at the same moment, to whoever may read them and to nobody else.
 */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  firstVisitAddress,
  type FirstVisit,
  type ServedQuestion,
} from '../../src/contract/http/first-visit.ts';
import { checkSchema } from '../../src/contract/http/canary.ts';
import { snapshotPageSchema } from '../../src/contract/sync.ts';
import type { HealthPatch, HealthQuery } from '../../src/contract/worker.ts';
import { ALL_TAB, type GroupBy } from '../../src/domain/check/grouping.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import type { TestBrowser } from '../security/support/test-browser.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';
import { addChecks, type EstateCheck } from './check-estate-query.ts';
import { openDevice } from './open-device.ts';
import { signInVisitors, visit, type Visitors } from './visitors.ts';

const MINUTE = 60_000;
const WINDOW = { start: 0, end: 100 };
const CANARIES = ['one', 'two', 'three', 'four'];
const canaryIds = new Map(CANARIES.map((name) => [name, randomUUID()]));

const estate: EstateCheck[] = fc
  .sample(
    fc.record({
      canary: fc.constantFrom(...CANARIES),
      name: fc.constantFrom('api/a', 'api/b', 'web', 'Web', 'db'),
      namespace: fc.constantFrom('prod', 'dev', ''),
      status: fc.constantFrom('healthy' as const, 'healthy' as const, 'unhealthy' as const, null),
      labels: fc.constantFrom<Record<string, string>>({}, { team: 'a' }, { team: 'b', env: 'x' }),
      agoMs: fc.integer({ min: 0, max: 90 }).map((minutes) => minutes * MINUTE),
      intervalMs: fc.constantFrom(MINUTE, 5 * MINUTE, 1440 * MINUTE),
      isSilenced: fc.constantFrom(false, false, false, true),
      isDeleted: fc.constantFrom(false, false, false, true),
    }),
    { seed: 28, numRuns: 150 },
  )
  .map((facts, at) => ({
    ...facts,
    // A name is taken once in a canary.
    name: `${facts.name} ${at}`,
    id: randomUUID(),
    canaryId: canaryIds.get(facts.canary) ?? '',
  }));

const arbitraryQuery = fc.record({
  hidePassing: fc.boolean(),
  query: fc.constantFrom('', '', 'api'),
  labels: fc.constantFrom<HealthQuery['labels']>({}, {}, { 'team:a': 1 }),
  groupBy: fc.constantFrom<GroupBy>('none', 'canary_name', 'name'),
  tabBy: fc.constant('namespace' as const),
  tab: fc.constantFrom(ALL_TAB, 'prod'),
  pivotBy: fc.constantFrom(null, null, 'namespace'),
  sortBy: fc.constantFrom<HealthQuery['sortBy']>('name', 'health', 'uptime', 'latency'),
  sortDesc: fc.boolean(),
  timeRange: fc.constantFrom<HealthQuery['timeRange']>('1h', '1h', '1d'),
  expanded: fc.constantFrom<string[]>([], ['one', 'four']),
});

/** Of a window that there is. */
function patchOf(window: FirstVisit['window']): HealthPatch {
  if (window === null) throw new Error('no window');
  return window.patch as HealthPatch;
}

/** A device that has loaded the checks. */
async function deviceOf(browser: TestBrowser) {
  const answer = await browser.get('/api/sync/snapshot?collection=checks&limit=5000');
  const { rows } = snapshotPageSchema.parse(await answer.json());
  return openDevice({ checks: rows.map((row) => checkSchema.parse(row)) });
}

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let visitors: Visitors;

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    await addChecks(server.db, estate, Date.now());
    visitors = await signInVisitors(server, ['viewer', 'agent']);
  });
  afterAll(() => server.stop());

  const as = (role: string): TestBrowser => visitors.as(role);
  const ask = (query: HealthQuery): ServedQuestion => ({
    name: 'live-health',
    args: { query, window: WINDOW },
  });

  it('the first window is the one that the compute worker makes of the same rows', async () => {
    const device = await deviceOf(as('viewer'));
    const windowOf = ({ name, args }: ServedQuestion, nowMs: number) => {
      device.setTime(nowMs);
      return device.window(name, args);
    };
    await expect.poll(() => windowOf(ask(PLAIN), Date.now())).not.toBeNull();
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryQuery, async (query: HealthQuery) => {
        const { window, serverMs } = await visit(as('viewer'), ask(query));
        expect(window).toEqual(await windowOf(ask(query), serverMs));
        compared += patchOf(window).rows?.rows.length ?? 0;
      }),
      { seed: 28, numRuns: 60 },
    );
    expect(compared).toBeGreaterThan(300);
    await device.close();
  });

  it('what is overdue when it is asked for is not passing, whatever was read before', async () => {
    const { window: before } = await visit(as('viewer'), ask(PLAIN));
    const healthy = (window: FirstVisit['window']) => patchOf(window).frame?.counts.healthy ?? 0;
    expect(healthy(before)).toBeGreaterThan(0);
    server.advance(30 * MINUTE);
    const { window: after } = await visit(as('viewer'), ask(PLAIN));
    expect(healthy(after)).toBeLessThan(healthy(before));
    server.advance(-30 * MINUTE);
  });

  it('who may not read checks gets none, and who is nobody gets nothing', async () => {
    const { window, user } = await visit(as('agent'), ask(PLAIN));
    expect(window).toBeNull();
    expect(user.roles).toEqual(['agent']);
    expect((await as('nobody').get(firstVisitAddress(ask(PLAIN)))).status).toBe(401);
  });

  it('without a question it says who is there, and a question that means nothing is refused', async () => {
    const { window, user, shell } = await visit(as('viewer'), null);
    expect({ window, roles: user.roles }).toEqual({ window: null, roles: ['viewer'] });
    expect(shell).toMatchObject({ isChecksOnly: false, hasClusterProxy: false });
    await server.db.run(
      `insert into connections (name, namespace, type) values ('home', 'default', 'kubernetes')`,
    );
    expect((await visit(as('viewer'), null)).shell).toMatchObject({ hasClusterProxy: true });
    for (const query of [
      'name=live-rows&args={}',
      'name=live-health',
      'name=live-health&args={',
      'args={}',
    ]) {
      expect((await as('viewer').get(`/api/first-visit?${query}`)).status, query).toBe(400);
    }
    const odd = firstVisitAddress({ name: 'live-health', args: { query: { ...PLAIN, groupBy: 1 } } });
    expect((await as('viewer').get(odd)).status).toBe(400);
  });
});

const PLAIN: HealthQuery = {
  hidePassing: false,
  query: '',
  labels: {},
  groupBy: 'none',
  tabBy: 'namespace',
  tab: ALL_TAB,
  pivotBy: null,
  sortBy: 'name',
  sortDesc: false,
  timeRange: '1h',
  expanded: [],
};
