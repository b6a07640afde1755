/** Pending commands before and after what reads them is there: what is shown in the end is the same. */
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { outboxItem } from '../../../src/contract/outbox/testing/outbox-item.ts';
import type { StoreChange } from '../../../src/contract/worker.ts';
import { OUTBOX, OUTBOX_SAVING } from './outbox-names.ts';
import { loadReader, PendingEdits } from './pending-edits.ts';

const id = (n: number) => `0192d5a4-0000-7000-8000-${String(n).padStart(12, '0')}`;
const rename = { name: 'edit_incident', args: { id: id(1), changes: { title: 'mine' } } } as const;
const item = (order: number, kind: 'kept' | 'sent') =>
  outboxItem(order, rename, kind === 'sent' ? { kind, seq: order } : { kind });

const change = (part: Partial<StoreChange>): StoreChange => ({
  storeName: 'a store',
  sender: 's',
  sequence: 1,
  collection: OUTBOX,
  upserts: [],
  deletedIds: [],
  isReset: false,
  ...part,
});

const pendingOf = (edits: PendingEdits) =>
  edits.overlay()?.shown({ id: id(1), title: 'theirs' } as never, { collection: 'incidents', id: id(1) }) ??
  null;

let timers: (() => void)[] = [];
const report = (error: unknown) => {
  throw error;
};
const begin = () => new PendingEdits({ later: (_delay, run) => timers.push(run), report }, () => {});

beforeEach(() => {
  timers = [];
});

test('a command that comes before its reader shows with it', async () => {
  const edits = begin();
  edits.apply(change({ collection: OUTBOX_SAVING, upserts: [item(1, 'kept')] }));
  expect(edits.overlay()).toBeNull();
  await loadReader();
  expect(pendingOf(edits)).toMatchObject({ row: { title: 'mine' }, pending: 'saving' });
});

test('of changes that came before the reader the last counts, and none that an outbox read meanwhile has not', async () => {
  const edits = begin();
  edits.apply(change({ upserts: [item(1, 'kept')] }));
  edits.apply(change({ upserts: [item(1, 'sent')] }));
  await loadReader();
  expect(pendingOf(edits)).toMatchObject({ pending: 'sent' });

  const other = begin();
  other.apply(change({ upserts: [item(1, 'kept')] }));
  other.replaceAll([], null);
  await loadReader();
  expect(pendingOf(other)).toMatchObject({ row: { title: 'theirs' }, pending: 'none' });
});

test('where nothing is stored the reader comes a while after the start, and nothing of another store with it', async () => {
  const edits = begin();
  edits.apply(change({ upserts: [item(1, 'kept')] }));
  edits.clear();
  edits.replaceAll([], null);
  await loadReader();
  expect(edits.overlay()).toBeNull();
  for (const run of timers) run();
  await loadReader();
  expect(pendingOf(edits)).toMatchObject({ row: { title: 'theirs' }, pending: 'none' });
});

test('whenever the reader comes, the same is shown in the end', async () => {
  const reader = await loadReader();
  const step = fc.oneof(
    fc.record({ put: fc.nat(3), kind: fc.constantFrom('kept' as const, 'sent' as const) }),
    fc.record({ drop: fc.nat(3) }),
    fc.record({ outbox: fc.uniqueArray(fc.nat(3)) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step), fc.nat(20), async (steps, readerAt) => {
      const early = begin();
      early.replaceAll([], reader);
      const late = begin();
      for (const [index, one] of steps.entries()) {
        if (index === readerAt) await loadReader();
        for (const edits of [early, late]) {
          if ('put' in one) edits.apply(change({ upserts: [item(one.put, one.kind)] }));
          else if ('drop' in one) edits.apply(change({ deletedIds: [`command-${one.drop}`] }));
          else
            edits.replaceAll(
              one.outbox.map((order) => item(order, 'kept')),
              one.outbox.length > 0 ? reader : null,
            );
        }
      }
      await loadReader();
      const none = { row: { id: id(1), title: 'theirs' }, pending: 'none' };
      expect(pendingOf(late) ?? none).toEqual(pendingOf(early));
    }),
  );
});
