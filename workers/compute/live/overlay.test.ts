/** Rows with pending commands on top: what comes in by and by leaves what one look at everything shows. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import type { CommandRequest } from '../../../src/contract/commands/all-commands.ts';
import { pendingRow } from '../../../src/contract/commands/pending-row.ts';
import type { OutboxItem, OutboxState } from '../../../src/contract/outbox/outbox.ts';
import { outboxItem as item } from '../../../src/contract/outbox/testing/outbox-item.ts';
import { CollectionIndex } from '../../../src/contract/row-index/collection-index.ts';
import { commandReader } from './command-reader.ts';
import { Overlay } from './overlay.ts';
import type { Sort } from '../../../src/contract/row-index/row-order.ts';

const id = (n: number) => `0192d5a4-0000-7000-8000-${String(n).padStart(12, '0')}`;
const INCIDENT = id(1);
const SORT = [{ field: 'title', isDescending: false }];

/** An index of one collection with some server rows. */
function indexOf(collection: CollectionName, rows: ReplicatedRow[]) {
  const overlay = new Overlay(commandReader);
  const index = new CollectionIndex(collection, overlay);
  index.apply({ upserts: rows, deletedIds: [] });
  return {
    index,
    overlay,
    apply(change: { upserts?: OutboxItem[]; deletedIds?: string[] }) {
      const touched = overlay.apply({ upserts: [], deletedIds: [], ...change });
      return index.recompute(touched.get(collection) ?? []);
    },
    applySaving(change: { upserts?: OutboxItem[]; deletedIds?: string[] }) {
      const touched = overlay.applySaving({ upserts: [], deletedIds: [], ...change });
      return index.recompute(touched.get(collection) ?? []);
    },
    all: (sort: Sort = []) =>
      index
        .find({ where: [], search: '', groupBy: null, sort, window: { start: 0, end: 100 } })
        .entries.map(({ row, pending }) => ({ row, pending })),
  };
}

const [hypothesis, evidence, comment, responder] = [id(2), id(3), id(4), id(5)];
const SERVER: ReplicatedRow[] = [
  { id: hypothesis, kind: 'hypothesis', incident_id: INCIDENT, title: 'old', status: 'possible' },
  { id: evidence, kind: 'evidence', incident_id: INCIDENT, description: 'old', done: false },
  { id: comment, kind: 'comment', incident_id: INCIDENT, comment: 'old' },
  { id: responder, kind: 'responder', incident_id: INCIDENT, type: 'person' },
];
const NEW = id(9);
const base = { incidentId: INCIDENT };

/** What each command on records shows at the row it is about; null when it is gone. */
const EFFECTS: [CommandRequest, string, Record<string, unknown> | null][] = [
  [
    { name: 'create_hypothesis', args: { ...base, id: NEW, title: 'Disk' } },
    NEW,
    { kind: 'hypothesis', title: 'Disk', status: 'possible', created_by: 'me' },
  ],
  [
    { name: 'edit_hypothesis', args: { ...base, id: hypothesis, changes: { status: 'proven' } } },
    hypothesis,
    { title: 'old', status: 'proven' },
  ],
  [{ name: 'delete_hypothesis', args: { ...base, id: hypothesis } }, hypothesis, null],
  [
    { name: 'add_evidence', args: { ...base, id: NEW, hypothesisId: hypothesis, type: 'comment' } },
    NEW,
    { kind: 'evidence', hypothesis_id: hypothesis, script_result: null },
  ],
  [
    { name: 'edit_evidence', args: { ...base, id: evidence, changes: { done: true } } },
    evidence,
    { description: 'old', done: true },
  ],
  [{ name: 'delete_evidence', args: { ...base, id: evidence } }, evidence, null],
  [
    { name: 'add_comment', args: { ...base, id: NEW, comment: 'hello' } },
    NEW,
    { kind: 'comment', comment: 'hello', created_at: '1970-01-01T00:00:00.001Z' },
  ],
  [{ name: 'edit_comment', args: { ...base, id: comment, comment: 'new' } }, comment, { comment: 'new' }],
  [{ name: 'delete_comment', args: { ...base, id: comment } }, comment, null],
  [
    { name: 'add_responder', args: { ...base, id: NEW, type: 'person', personId: id(6) } },
    NEW,
    { kind: 'responder', person_id: id(6) },
  ],
  [
    { name: 'set_responder_progress', args: { ...base, id: responder, step: 'closed', isSet: true } },
    responder,
    { closed: '1970-01-01T00:00:00.001Z' },
  ],
  [{ name: 'remove_responder', args: { ...base, id: responder } }, responder, null],
];

describe('on the records of an incident', () => {
  test.each(EFFECTS)('%o shows at once and leaves no trace when it is gone', (request, about, shown) => {
    const world = indexOf('incident_records', SERVER);
    const before = world.all();
    const changes = world.apply({ upserts: [item(1, request)] });
    expect(changes.length).toBe(1);
    const entry = world.index.get(about);
    if (shown === null) expect(entry).toBeNull();
    else expect(entry).toMatchObject({ row: { id: about, ...shown }, pending: 'kept' });
    world.apply({ deletedIds: ['command-1'] });
    expect(world.all()).toEqual(before);
  });
});

describe('on an incident', () => {
  const incident = { id: INCIDENT, incident_id: 'INC-1', title: 'Down', status: 'open' };

  test('a status that was set shows, and is sorted and searched by what is shown', () => {
    const world = indexOf('incidents', [incident, { ...incident, id: id(7), title: 'Middle' }]);
    expect(world.all(SORT).length).toBe(2);
    world.apply({
      upserts: [
        item(1, { name: 'set_incident_status', args: { id: INCIDENT, from: 'open', to: 'mitigated' } }),
        item(2, { name: 'edit_incident', args: { id: INCIDENT, changes: { title: 'Zero' } } }),
      ],
    });
    expect(world.all(SORT).map(({ row }) => row.title)).toEqual(['Middle', 'Zero']);
    expect(world.index.get(INCIDENT)).toMatchObject({ row: { status: 'mitigated' } });
    expect(world.index.get(INCIDENT)?.text).toContain('zero');
  });

  test('what was sent and what was kept together count as kept', () => {
    const world = indexOf('incidents', [incident]);
    const sent = { kind: 'sent', seq: 1 } as const;
    const status = {
      name: 'set_incident_status',
      args: { id: INCIDENT, from: 'open', to: 'closed' },
    } as const;
    const rename = { name: 'edit_incident', args: { id: INCIDENT, changes: { title: 'x' } } } as const;
    world.apply({ upserts: [item(1, status, sent)] });
    expect(world.index.get(INCIDENT)?.pending).toBe('sent');
    world.apply({ upserts: [item(2, rename)] });
    expect(world.index.get(INCIDENT)?.pending).toBe('kept');
    world.apply({ upserts: [item(2, rename, sent)] });
    expect(world.index.get(INCIDENT)?.pending).toBe('sent');
  });

  test('what is not on the disk yet outweighs what is, and is said until it is there or failed', () => {
    const world = indexOf('incidents', [{ id: INCIDENT, title: 'a' }]);
    const rename = { name: 'edit_incident', args: { id: INCIDENT, changes: { title: 'b' } } } as const;
    const shown = () => world.all().map(({ row, pending }) => [row.title, pending]);
    world.apply({ upserts: [item(1, { ...rename, args: { id: INCIDENT, changes: { title: 'kept' } } })] });
    world.applySaving({ upserts: [item(2, rename)] });
    expect(shown()).toEqual([['b', 'saving']]);
    world.applySaving({ deletedIds: ['command-2', 'command-1'] });
    expect(shown()).toEqual([['kept', 'kept']]);
    world.applySaving({ upserts: [item(2, rename)] });
    world.apply({ upserts: [item(2, rename)] });
    world.applySaving({ deletedIds: ['command-2'] });
    expect(shown()).toEqual([['b', 'kept']]);
  });

  test('a run of a check changes no row', () => {
    const world = indexOf('checks', [{ id: id(1), name: 'c' }]);
    expect(world.apply({ upserts: [item(1, { name: 'run_check', args: { checkId: id(1) } })] })).toEqual([]);
  });
});

// What happens: the server's rows and the outbox change in any order, or the outbox is read anew.
const rowNumber = fc.integer({ min: 1, max: 4 });
const state: fc.Arbitrary<OutboxState> = fc.constantFrom<OutboxState>(
  { kind: 'kept' },
  { kind: 'sent', seq: 1 },
  { kind: 'accepted', position: 'e.1' },
  { kind: 'refused', code: 'gone', message: '', current: null, atMs: 0 },
);
const request: fc.Arbitrary<CommandRequest> = fc.oneof(
  rowNumber.map((n): CommandRequest => ({
    name: 'create_incident',
    args: { id: id(n), rootHypothesisId: id(n + 10), title: 'made here' },
  })),
  fc.tuple(rowNumber, fc.constantFrom('a', 'b')).map(([n, title]): CommandRequest => ({
    name: 'edit_incident',
    args: { id: id(n), changes: { title } },
  })),
  rowNumber.map((n): CommandRequest => ({
    name: 'set_incident_status',
    args: { id: id(n), from: 'open', to: 'closed' },
  })),
);
const pendingItem = fc
  .tuple(fc.integer({ min: 1, max: 5 }), request, state)
  .map(([order, asked, where]) => item(order, asked, where));
const serverRow = fc
  .tuple(rowNumber, fc.constantFrom('c', 'd'))
  .map(([n, title]): ReplicatedRow => ({ id: id(n), title, incident_id: `INC-${n}` }));
const step = fc.oneof(
  fc.record({
    kind: fc.constant('rows' as const),
    upserts: fc.array(serverRow, { maxLength: 3 }),
    gone: rowNumber,
  }),
  fc.record({
    kind: fc.constant('outbox' as const),
    upserts: fc.array(pendingItem, { maxLength: 3 }),
    gone: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({
    kind: fc.constant('saving' as const),
    begun: fc.tuple(fc.integer({ min: 6, max: 8 }), request).map(([n, asked]) => item(n, asked)),
    ends: fc.constantFrom('kept', 'failed', 'later'),
  }),
  fc.record({ kind: fc.constant('read anew' as const), items: fc.array(pendingItem, { maxLength: 3 }) }),
);

test('whatever happens in whatever order, the rows are those that one look at everything shows', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const world = indexOf('incidents', []);
      const rows = new Map<string, ReplicatedRow>();
      const items = new Map<string, OutboxItem>();
      const saving = new Map<string, OutboxItem>();
      for (const one of steps) {
        if (one.kind === 'rows') {
          rows.delete(id(one.gone));
          for (const row of one.upserts) rows.set(row.id, row);
          world.index.apply({ upserts: one.upserts, deletedIds: [id(one.gone)] });
        } else if (one.kind === 'saving') {
          const { begun, ends } = one;
          const { commandId } = begun;
          const last = { ...begun, order: Number.MAX_SAFE_INTEGER };
          if (!items.has(commandId) && !saving.has(commandId)) saving.set(commandId, last);
          world.applySaving({ upserts: [last] });
          if (ends === 'kept') items.set(commandId, begun);
          if (ends !== 'later') saving.delete(commandId);
          if (ends === 'kept') world.apply({ upserts: [begun] });
          if (ends === 'failed') world.applySaving({ deletedIds: [commandId] });
        } else {
          const upserts = one.kind === 'outbox' ? one.upserts : one.items;
          if (one.kind === 'outbox') items.delete(`command-${one.gone}`);
          else {
            items.clear();
            saving.clear();
          }
          for (const changed of upserts) items.set(changed.commandId, changed);
          if (one.kind === 'outbox') world.apply({ upserts, deletedIds: [`command-${one.gone}`] });
          else world.index.recompute(world.overlay.replaceAll(upserts).get('incidents') ?? []);
        }
        const inOrder = [...items.values(), ...saving.values()].toSorted((a, b) => a.order - b.order);
        const expected = [1, 2, 3, 4].flatMap(
          (n) => pendingRow(rows.get(id(n)) ?? null, inOrder, { collection: 'incidents', id: id(n) }) ?? [],
        );
        expect(world.all().map(({ row }) => row)).toEqual(expected);
        const byTitle = [...expected].toSorted(
          (a, b) => String(a.title).localeCompare(String(b.title), 'en') || (a.id < b.id ? -1 : 1),
        );
        expect(world.all(SORT).map(({ row }) => row)).toEqual(byTitle);
      }
    }),
    { numRuns: 300 },
  );
});
