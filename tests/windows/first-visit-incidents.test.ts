/**
 * The law of a first visit, for incidents: what the server says of the list's first window is what the compute worker says
 * of the same rows, to whoever may read them and to nobody else.
 */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstVisitAddress, type FirstVisit } from '../../src/contract/http/first-visit.ts';
import type { IncidentsQuestion, LivePatch } from '../../src/contract/live-query.ts';
import { snapshotPageSchema } from '../../src/contract/sync.ts';
import {
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
} from '../../src/domain/incident/incident.ts';
import { FirstIncidents } from '../../server/incidents/first-incidents.ts';
import { forEachDatabase } from '../../server/platform/db/test-databases.ts';
import type { TestBrowser } from '../security/support/test-browser.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';
import { insertIncidents } from './incident-estate-query.ts';
import { openDevice } from './open-device.ts';
import { signInVisitors, visit, type Visitors } from './visitors.ts';

const incidents = fc
  .sample(
    fc.record({
      title: fc.constantFrom('Shop is slow', 'shop is down', 'Ledger', 'Queue full'),
      type: fc.constantFrom(...INCIDENT_TYPES),
      severity: fc.constantFrom(...INCIDENT_SEVERITIES),
      status: fc.constantFrom('open' as const, 'open' as const, ...INCIDENT_STATUSES),
      agoMinutes: fc.integer({ min: 0, max: 20 }),
    }),
    { seed: 28, numRuns: 140 },
  )
  .map((facts) => ({ ...facts, id: randomUUID() }));

/** Of a window that there is. */
function patchOf(window: FirstVisit['window']): LivePatch {
  if (window === null) throw new Error('no window');
  return window.patch as LivePatch;
}

const equals = (field: string, values: readonly string[]) =>
  fc
    .constantFrom(null, null, null, ...values)
    .map((value) => (value === null ? [] : [{ field, op: 'eq' as const, value }]));
const arbitraryQuestion: fc.Arbitrary<IncidentsQuestion> = fc.record({
  where: fc
    .tuple(equals('status', ['open', 'closed']), equals('severity', INCIDENT_SEVERITIES))
    .map((parts) => parts.flat()),
  search: fc.constantFrom('', '', 'shop', 'shop down', 'nothing'),
  sort: fc.constantFrom(
    [{ field: 'created_at', isDescending: true }],
    [
      { field: 'severity', isDescending: true },
      { field: 'created_at', isDescending: false },
    ],
  ),
  groupBy: fc.constantFrom(null, 'type'),
  window: fc.constantFrom({ start: 0, end: 100 }, { start: 100, end: 200 }, { start: 2, end: 7 }),
});

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let visitors: Visitors;

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    visitors = await signInVisitors(server, ['viewer', 'agent']);
    await insertIncidents(server.db, visitors.idOf('viewer'), incidents);
  });
  afterAll(() => server.stop());

  const as = (role: string): TestBrowser => visitors.as(role);
  const ask = (args: unknown) => ({ name: 'live-incidents' as const, args });
  const windowFor = async (role: string, question: IncidentsQuestion) =>
    (await visit(as(role), ask(question))).window;

  it('the first window is the one that the compute worker makes of the same rows', async () => {
    const snapshot = await as('viewer').get('/api/sync/snapshot?collection=incidents&limit=5000');
    const { rows } = snapshotPageSchema.parse(await snapshot.json());
    expect(rows.length).toBe(incidents.length);
    const device = await openDevice({ incidents: rows });
    await device.look('live-incidents', ALL);
    await expect.poll(() => device.window('live-incidents', ALL)).not.toBeNull();
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryQuestion, async (question) => {
        const window = await windowFor('viewer', question);
        expect(window).toEqual(await device.window('live-incidents', question));
        compared += patchOf(window).rows?.length ?? 0;
      }),
      { seed: 28, numRuns: 60 },
    );
    expect(compared).toBeGreaterThan(300);
    await device.close();
  });

  it('who may not read incidents gets none, who is nobody gets nothing, and what means nothing is refused', async () => {
    expect(await windowFor('agent', ALL)).toBeNull();
    expect((await as('nobody').get(firstVisitAddress(ask(ALL)))).status).toBe(401);
    expect((await as('viewer').get(firstVisitAddress(ask({ ...ALL, search: 1 })))).status).toBe(400);
  });

  it('what would keep all others waiting is not answered', async () => {
    expect(await windowFor('viewer', { ...ALL, search: 'a '.repeat(60) })).toBeNull();
    const sort = Array.from({ length: 11 }, (_, at) => ({ field: `column ${at}`, isDescending: false }));
    const where = Array.from({ length: 51 }, () => ({ field: 'id', op: 'not' as const, value: null }));
    for (const question of [
      { ...ALL, sort },
      { ...ALL, where },
    ])
      expect((await as('viewer').get(firstVisitAddress(ask(question)))).status).toBe(400);
    const odd = ['__proto__', 'constructor', 'length'];
    for (const field of odd)
      expect(
        await windowFor('viewer', { ...ALL, groupBy: field, sort: [{ field, isDescending: true }] }),
      ).toMatchObject({
        patch: { frame: { total: incidents.length } },
      });
  });

  it('where there are more than a device has, the device says which', async () => {
    const most = (count: number) => new FirstIncidents(() => Date.now(), count).window(server.db, ALL);
    expect(await most(incidents.length)).not.toBeNull();
    expect(await most(incidents.length - 1)).toBeNull();
  });
});

const ALL: IncidentsQuestion = {
  where: [],
  search: '',
  sort: [{ field: 'created_at', isDescending: true }],
  groupBy: null,
  window: { start: 0, end: 100 },
};
