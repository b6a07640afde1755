/** What is kept change by change is what a look at everything finds, whatever comes in whatever order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import { unreadOf } from '../../../src/domain/incident/unread.ts';
import type { RecordFacts } from '../../../src/domain/incident/unread.ts';
import { incidentFacts, recordFacts } from './unread-facts.ts';
import type { UnreadNews } from '../../../src/domain/incident/unread.ts';
import { CollectionIndex, type EntryChange } from '../../../src/contract/row-index/collection-index.ts';
import { RowTable } from '../../../src/contract/row-index/row-table.ts';
import { UnreadIndex } from './unread-index.ts';
import { openUnread } from './unread-view.ts';
import type { UnreadPart } from './unread-index.ts';

const ME = 'me';
const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY_MS = 86_400_000;
type Rows = Record<UnreadPart, Map<string, ReplicatedRow>>;

/** As the view found it before it followed changes. */
function fromScratch({ incidents, records, resources }: Rows) {
  const people = [...resources.values()];
  const isMine = ({ kind, members }: ReplicatedRow) =>
    kind === 'team' && Array.isArray(members) && members.includes(ME);
  const names = new Map(people.filter(({ kind }) => kind === 'person').map(({ id, name }) => [id, name]));
  const state = unreadOf({
    userId: ME,
    teamIds: new Set(people.filter(isMine).map(({ id }) => id)),
    incidents: [...incidents.values()].map((row) => incidentFacts((name) => row[name])),
    records: [...records.values()]
      .map((row) => recordFacts((name) => row[name]))
      .filter((one): one is RecordFacts => one !== null),
    nowMs: NOW,
  });
  return {
    ...state,
    news: state.news.map((one) => ({ ...one, byName: one.byName ?? names.get(one.byId ?? '') ?? null })),
  };
}

const person = fc.constantFrom(ME, 'ada', 'bo');
const requireUser = fc.option(person);
const team = fc.constantFrom('t1', 't2');
const incidentId = fc.constantFrom('i1', 'i2', 'i3');
const moment = fc.integer({ min: 0, max: 40 }).map((days) => new Date(NOW - days * DAY_MS).toISOString());
const says = fc.constantFrom('hello', '@[Me](user:me) look', '');

const incident = fc.record({
  id: incidentId,
  incident_id: fc.constantFrom('INC-1', ''),
  title: fc.constantFrom('Disk full', 'Shop is slow'),
  created_by: requireUser,
  commander_id: requireUser,
  communicator_id: requireUser,
});
const record = fc.record({
  id: fc.integer({ min: 1, max: 12 }).map((n) => `r${n}`),
  kind: fc.constantFrom('comment', 'responder', 'history', 'read', 'evidence', 'hypothesis'),
  incident_id: incidentId,
  created_by: requireUser,
  created_at: moment,
  comment: says,
  external_created_by: fc.option(fc.constant('Grace')),
  person_id: requireUser,
  team_id: fc.option(team),
  type: fc.constantFrom('incident.status_updated', 'evidence.created'),
  description: fc.constantFrom('mitigated', 'resolved'),
  read_at: moment,
});
const resource = fc.oneof(
  fc.record({ id: team, kind: fc.constant('team'), members: fc.subarray([ME, 'ada']) }),
  fc.record({ id: person, kind: fc.constant('person'), name: fc.constantFrom('Ada', 'Bo') }),
);
const step = fc.oneof(
  fc.record({
    part: fc.constant('incidents' as const),
    row: incident,
    does: fc.constantFrom('put', 'delete'),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      part: fc.constant('records' as const),
      row: record,
      does: fc.constantFrom('put', 'put', 'delete', 'reread'),
    }),
  },
  fc.record({
    part: fc.constant('resources' as const),
    row: resource,
    does: fc.constantFrom('put', 'delete', 'reread'),
  }),
);

/** All rows anew, as after a reload. */
function tableOf(rows: ReadonlyMap<string, ReplicatedRow>): RowTable {
  const table = new RowTable();
  for (const row of rows.values()) table.put(row);
  return table;
}

test('after any changes the index says what a look at everything says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const rows: Rows = { incidents: new Map(), records: new Map(), resources: new Map() };
      const tables = { incidents: new RowTable(), records: new RowTable(), resources: new RowTable() };
      const index = new UnreadIndex(ME, () => tables);
      for (const { part, row, does } of steps) {
        const before = rows[part].get(row.id) ?? null;
        const after = does === 'delete' ? null : row;
        if (after === null) rows[part].delete(row.id);
        else rows[part].set(row.id, after);
        if (does === 'reread') tables[part] = tableOf(rows[part]);
        else if (after === null) tables[part].remove(row.id);
        else tables[part].put(after);
        index.hear(part, does === 'reread' ? null : [{ before, after }]);
        while (!index.isUpToDate()) await index.prepare(() => Promise.resolve());
        expect(index.state(NOW)).toEqual(fromScratch(rows));
      }
    }),
    { numRuns: 300 },
  );
});

test('changes that come between the steps of the first look count as well', async () => {
  const names = { incidents: 'incidents', records: 'incident_records', resources: 'resources' } as const;
  const asIs = {
    touchedIds: () => [],
    shown: (row: ReplicatedRow | null) => (row === null ? null : { row, pending: 'none' as const }),
  };
  const steps = fc.array(step, { minLength: 10, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(steps, steps, async (first, meanwhile) => {
      const rows: Rows = { incidents: new Map(), records: new Map(), resources: new Map() };
      const indexOf = (part: UnreadPart) => new CollectionIndex(names[part], asIs);
      const indexes = {
        incidents: indexOf('incidents'),
        records: indexOf('records'),
        resources: indexOf('resources'),
      };
      const hears = new Map<string, (changes: readonly EntryChange[] | null) => void>();
      const apply = ({ part, row, does }: (typeof first)[number]) => {
        const isGone = does === 'delete';
        if (isGone) rows[part].delete(row.id);
        else rows[part].set(row.id, row);
        const came = indexes[part].apply({
          upserts: isGone ? [] : [row],
          deletedIds: isGone ? [row.id] : [],
        });
        hears.get(names[part])?.(does === 'reread' ? null : came);
      };
      for (const one of first) apply(one);
      let nowMs = 0;
      let told: UnreadNews | null = null;
      const left = [...meanwhile];
      const timers: (() => void)[] = [];
      const close = openUnread({
        userId: ME,
        nowMs: () => NOW,
        platform: {
          // Each look at the clock ends a slice.
          now: () => (nowMs += 1000),
          later: (_, run) => timers.push(run),
          nextTurn: async () => {
            const next = left.pop();
            if (next !== undefined) apply(next);
          },
          report: (error) => {
            throw error;
          },
        },
        live: {
          attend: (name, { hear }) => {
            hears.set(name, hear);
            const index = Object.values(indexes).find((_, at) => Object.values(names)[at] === name);
            return { source: { index: index ?? indexes.records, isLoaded: () => true }, leave: () => {} };
          },
        },
        listener: (news) => {
          told = news;
        },
      });
      const settled = () => new Promise((resolve) => setImmediate(resolve));
      for (let round = 0; round < 4; round += 1) {
        for (const run of timers.splice(0)) run();
        await settled();
      }
      for (const one of left.splice(0)) apply(one);
      for (let round = 0; round < 4; round += 1) {
        for (const run of timers.splice(0)) run();
        await settled();
      }
      expect(told).toEqual({ ...fromScratch(rows), isLoaded: true });
      close();
    }),
    { numRuns: 60 },
  );
});

test('who joins a team is concerned by what it was called to, and no longer after leaving it', async () => {
  const tables = { incidents: new RowTable(), records: new RowTable(), resources: new RowTable() };
  const index = new UnreadIndex(ME, () => tables);
  tables.incidents.put({ id: 'i1', incident_id: 'INC-1', title: 'Disk full', created_by: 'ada' });
  const at = new Date(NOW - DAY_MS).toISOString();
  tables.records.put({ id: 'r1', kind: 'responder', incident_id: 'i1', team_id: 't1', created_at: at });
  const totalWith = async (members: string[]) => {
    tables.resources.put({ id: 't1', kind: 'team', members });
    index.hear('resources', []);
    await index.prepare(() => Promise.resolve());
    return index.state(NOW).total;
  };
  expect([await totalWith([]), await totalWith([ME]), await totalWith(['ada'])]).toEqual([0, 1, 0]);
});
