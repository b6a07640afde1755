/** The list of incidents says who responds as a look at all records would, whatever changes, goes and is read anew. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import type { IncidentsQuestion, IncidentTeam, LiveRow } from '../../../src/contract/live-query.ts';
import {
  CollectionIndex,
  prepareRows,
  type EntryChange,
} from '../../../src/contract/row-index/collection-index.ts';
import { openIncidentList } from './incident-list.ts';

const ASKED: IncidentsQuestion = {
  where: [],
  search: '',
  sort: [{ field: 'id', isDescending: false }],
  groupBy: null,
  window: { start: 0, end: 100 },
};
const NAMES = ['incidents', 'incident_records', 'resources'] as const;
type Name = (typeof NAMES)[number];
type Rows = Record<Name, Map<string, ReplicatedRow>>;
type Hear = (changes: readonly EntryChange[] | null) => void;

/** The rows of a device in memory; `change` tells what listens, as the worker does. */
function device() {
  const asIs = {
    touchedIds: () => [],
    shown: (row: ReplicatedRow | null) => (row === null ? null : { row, pending: 'none' as const }),
  };
  const rows: Rows = { incidents: new Map(), incident_records: new Map(), resources: new Map() };
  const loaded = new Set<string>(NAMES);
  const indexes = new Map<string, CollectionIndex>(
    NAMES.map((name) => [name, new CollectionIndex(name, asIs)]),
  );
  const listeners: { name: string; hear: Hear; refresh: () => void }[] = [];
  const told: LiveRow[][] = [];
  const tell = (name: string, changes: readonly EntryChange[] | null) => {
    for (const one of listeners) if (one.name === name) one.hear(changes);
    for (const one of listeners) one.refresh();
  };
  const indexOf = (name: string) => indexes.get(name) ?? new CollectionIndex('incidents', asIs);
  return {
    rows,
    loaded,
    told,
    put(name: Name, row: ReplicatedRow) {
      rows[name].set(row.id, row);
      tell(name, indexOf(name).apply({ upserts: [row], deletedIds: [] }));
    },
    remove(name: Name, id: string) {
      rows[name].delete(id);
      tell(name, indexOf(name).apply({ upserts: [], deletedIds: [id] }));
    },
    async reread(name: Name) {
      loaded.add(name);
      indexOf(name).replaceAll(await prepareRows([...rows[name].values()], () => Promise.resolve()));
      tell(name, null);
    },
    open(asked = ASKED) {
      const known = new Map<string, LiveRow>();
      let order: readonly string[] = [];
      const attend = (name: CollectionName, { hear, refresh }: { hear: Hear; refresh: () => void }) => {
        listeners.push({ name, hear, refresh });
        return {
          source: { index: indexOf(name), isLoaded: () => loaded.has(name) },
          leave: () => {},
        };
      };
      return openIncidentList({ attend }, asked, (patch) => {
        for (const row of structuredClone(patch.rows ?? [])) known.set(row.id, row);
        order = patch.order?.ids ?? order;
        told.push(order.flatMap((id) => known.get(id) ?? []));
      });
    },
    answer: () => told.at(-1) ?? [],
  };
}

/** The rule, said plainly. */
function teamOf({ incident_records: records, resources }: Rows, incidentId: string): IncidentTeam {
  const responders = [...records.values()]
    .filter((row) => row['kind'] === 'responder' && row['incident_id'] === incidentId)
    .toSorted(
      (a, b) => String(a['created_at']).localeCompare(String(b['created_at'])) || (a.id < b.id ? -1 : 1),
    );
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const who = responders.map((row) => {
    const known = resources.get(text(row['team_id']) ?? text(row['person_id']) ?? '');
    return { id: row.id, name: text(known?.['name']), image: text(known?.['avatar']) };
  });
  return { total: who.length, who: who.slice(0, 20) };
}

const incidentId = fc.constantFrom('i1', 'i2', 'i3');
const person = fc.constantFrom('ada', 'bo', 't1');
const record = fc.record({
  id: fc.integer({ min: 1, max: 12 }).map((n) => `r${n}`),
  kind: fc.constantFrom('responder', 'responder', 'comment'),
  incident_id: incidentId,
  created_at: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
  person_id: fc.option(person),
  team_id: fc.option(person),
});
const resource = fc.record({
  id: person,
  kind: fc.constant('person'),
  name: fc.constantFrom('Ada', 'Bo', 7),
  avatar: fc.option(fc.constant('/a.png')),
});
const step = fc.record({
  row: fc.oneof(
    fc.record({
      of: fc.constant('incidents' as const),
      row: fc.record({ id: incidentId, title: fc.constantFrom('a', 'b') }),
    }),
    { weight: 4, arbitrary: fc.record({ of: fc.constant('incident_records' as const), row: record }) },
    fc.record({ of: fc.constant('resources' as const), row: resource }),
  ),
  does: fc.constantFrom('put', 'put', 'delete', 'reread'),
});

test('after any changes, deletions and reloads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const here = device();
      here.open();
      for (const { row, does } of steps) {
        if (does === 'put') here.put(row.of, row.row);
        else if (does === 'delete') here.remove(row.of, row.row.id);
        else await here.reread(row.of);
        const expected = [...here.rows.incidents.values()]
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
          .map((one): LiveRow => ({
            id: one.id,
            row: one,
            pending: 'none',
            team: teamOf(here.rows, one.id),
          }));
        expect(here.answer()).toEqual(expected);
      }
    }),
    { numRuns: 150 },
  );
});

test('the incidents are told before their records were read, and the teams as soon as they were', async () => {
  const here = device();
  here.loaded.delete('incident_records');
  here.put('incidents', { id: 'i1', title: 'Disk full' });
  here.put('resources', { id: 'ada', kind: 'person', name: 'Ada' });
  here.open();
  expect(here.told).toHaveLength(1);
  expect(here.answer()).toEqual([{ id: 'i1', row: { id: 'i1', title: 'Disk full' }, pending: 'none' }]);
  here.rows.incident_records.set('r1', {
    id: 'r1',
    kind: 'responder',
    incident_id: 'i1',
    person_id: 'ada',
  });
  await here.reread('incident_records');
  expect(here.answer()[0]?.team).toEqual({ total: 1, who: [{ id: 'r1', name: 'Ada', image: null }] });
});

test('what changes no team on the page sends nothing', () => {
  const here = device();
  here.put('incidents', { id: 'i1', title: 'Disk full' });
  here.open();
  here.put('incident_records', { id: 'r1', kind: 'comment', incident_id: 'i1', comment: 'Looks better' });
  here.put('incident_records', { id: 'r2', kind: 'responder', incident_id: 'i9', person_id: 'ada' });
  expect(here.told).toHaveLength(1);
});
