/**
 * The law of a cached list: what is cached of it is what the worker of the next start says first of the same rows, so
 * that nothing moves when its answer comes.
 */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CatalogQuery } from '../../src/contract/catalog-view.ts';
import type { ReplicatedRow } from '../../src/contract/collections.ts';
import type { InsightQuery } from '../../src/contract/insight-view.ts';
import type { OutlineQuery } from '../../src/contract/topology-view.ts';
import { openDevice } from './open-device.ts';

const WINDOW = { start: 0, end: 100 };
const SEED = 22;
const arbitraryName = fc.constantFrom('api', 'Api', 'web', 'ledger', '');
const arbitraryHealth = fc.constantFrom('healthy', 'unhealthy', 'warning', 'unknown', null);
const arbitraryTime = fc.constantFrom('2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z', null);

const rowsOf = (prefix: string, facts: fc.Arbitrary<object>): fc.Arbitrary<ReplicatedRow[]> =>
  fc
    .array(facts, { maxLength: 30 })
    .map((all) => all.map((one, at) => ({ ...one, id: `${prefix}-${(at * 7) % 31}-${at}` })));

const arbitraryRows = fc.record({
  configs: rowsOf(
    'config',
    fc.record({
      name: arbitraryName,
      type: fc.constantFrom('Kubernetes::Pod', 'Kubernetes::Node', 'AWS::EC2::Instance'),
      config_class: fc.constantFrom('Pod', 'Node', null),
      health: arbitraryHealth,
      labels: fc.constantFrom(null, { team: 'a' }, { team: 'b' }),
      deleted_at: fc.constantFrom(null, null, '2026-01-01T09:00:00Z'),
      updated_at: arbitraryTime,
    }),
  ),
  config_insights: rowsOf(
    'insight',
    fc.record({
      config_id: fc.constantFrom('config-0-0', 'config-7-1', 'gone'),
      analyzer: arbitraryName,
      analysis_type: fc.constantFrom('security', 'cost'),
      severity: fc.constantFrom('low', 'high', 'critical'),
      status: fc.constantFrom('open', 'resolved'),
      first_observed: arbitraryTime,
      last_observed: arbitraryTime,
    }),
  ),
  config_changes: fc.constant<ReplicatedRow[]>([]),
  components: rowsOf(
    'component',
    fc.record({
      name: arbitraryName,
      parent_id: fc.constantFrom(null, null, 'component-0-0', 'component-7-1'),
      type: fc.constantFrom('System', 'Application'),
      health: arbitraryHealth,
      status: fc.constantFrom('', 'CrashLoopBackOff'),
    }),
  ),
  checks: fc.constant<ReplicatedRow[]>([]),
  incidents: rowsOf(
    'incident',
    fc.record({
      title: arbitraryName,
      severity: fc.constantFrom('Low', 'High', 'Critical'),
      status: fc.constantFrom('open', 'closed'),
      created_at: arbitraryTime,
      commander_id: fc.constantFrom(null, 'person-1'),
    }),
  ),
  incident_records: fc.constant<ReplicatedRow[]>([]),
  resources: fc.constant<ReplicatedRow[]>([]),
});

const CATALOG: CatalogQuery = {
  search: '',
  types: {},
  status: {},
  health: {},
  labels: {},
  hideDeleted: true,
  sortBy: 'type',
  isDescending: false,
  groupBy: ['config_class', 'type'],
  hasItems: true,
  closed: [],
  favorites: [],
  wantsFacets: false,
};
const INSIGHTS: InsightQuery = {
  search: '',
  severity: null,
  type: null,
  analyzer: null,
  configId: null,
  configType: null,
  configIds: null,
  sortBy: 'severity',
  isDescending: true,
};
const OUTLINE: OutlineQuery = {
  rootId: null,
  search: '',
  status: {},
  types: {},
  teams: {},
  agents: {},
  labels: {},
  hidesHidden: false,
  sortBy: 'status',
  isDescending: true,
  toggled: ['component-0-0'],
};
const { toggled: _toggled, ...SEARCHED } = OUTLINE;
const INCIDENTS = {
  where: [{ field: 'status', op: 'eq' as const, value: 'open' }],
  search: '',
  sort: [{ field: 'severity', isDescending: true }],
  groupBy: 'status',
  window: WINDOW,
};

/** Each with its arguments in the types of the registry. */
const ASKED = [
  ['live-catalog', { query: CATALOG, window: WINDOW }],
  ['live-insights', { query: INSIGHTS, window: WINDOW }],
  ['live-topology', { query: { ...SEARCHED, isFlat: true }, window: WINDOW }],
  ['live-topology-outline', { query: OUTLINE, window: WINDOW }],
  ['live-incidents', INCIDENTS],
] as const;

interface Patch {
  frame?: { hasAnalysis?: boolean; hasChanges?: boolean };
  rows?: unknown;
}

/** Whether everything that it is made of was read: some queries answer from a part first. */
function isWhole(name: string, { frame, rows }: Patch): boolean {
  if (frame?.hasAnalysis === false || frame?.hasChanges === false) return false;
  return name !== 'live-incidents' || !Array.isArray(rows) || rows.every(({ team }) => team !== undefined);
}

test.each(ASKED)('%s: what is cached is what the next start says', async (name, args) => {
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryRows, async (rows) => {
      const device = await openDevice(rows);
      const wholeWindow = async () => {
        await device.look(name, args);
        let found: Patch | null = null;
        await expect
          .poll(async () => {
            const window = (await device.window(name, args)) as { patch: Patch } | null;
            found = window?.patch ?? null;
            return found !== null && isWhole(name, found);
          })
          .toBe(true);
        return found;
      };
      const cached = await wholeWindow();
      await device.restart();
      expect(await wholeWindow()).toEqual(cached);
      shown += JSON.stringify(cached).length;
      await device.close();
    }),
    { seed: SEED, numRuns: 5 },
  );
  // Not of nothing.
  expect(shown).toBeGreaterThan(1000);
});
