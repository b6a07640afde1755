import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MOST_TOLD_ITEMS,
  type OutboxItem,
  type OutboxUpdate,
  type OutboxView,
} from '../../../src/contract/outbox/outbox.ts';
import { joinOutboxUpdates } from '../../../src/contract/outbox/outbox-updates.ts';
import { tellDifferences } from './outbox-differences.ts';

const item = (order: number, state: OutboxItem['state'] = { kind: 'kept' }): OutboxItem => ({
  order,
  commandId: `c${order}`,
  name: 'run_check',
  version: 1,
  args: {},
  basedOn: null,
  expiresAt: null,
  userId: 'me',
  atMs: 0,
  touches: [],
  creates: [],
  failures: 0,
  state,
});
const view = (items: OutboxItem[], storeName = 'mine'): OutboxView => ({
  items,
  pause: null,
  place: { storeName, bornMs: 0 },
});

const states: OutboxItem['state'][] = [
  { kind: 'kept' },
  { kind: 'sent', seq: 4 },
  { kind: 'accepted', position: null },
  { kind: 'refused', code: 'gone', message: 'x', current: null, atMs: 1 },
];
const someView = fc
  .uniqueArray(fc.record({ order: fc.nat(30), state: fc.constantFrom(...states) }), {
    selector: ({ order }) => order,
  })
  .map((found) =>
    view(found.toSorted((a, b) => a.order - b.order).map(({ order, state }) => item(order, state))),
  );

test('what a page puts together is each view as it was, also when it is told anew', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ next: someView, isAnother: fc.boolean() })), (steps) => {
      const shown: OutboxView[] = [];
      const join = joinOutboxUpdates((one) => shown.push(one));
      let tell = tellDifferences(join);
      for (const { next, isAnother } of steps) {
        if (isAnother) tell = tellDifferences(join);
        tell(next);
      }
      expect(shown).toEqual(steps.map(({ next }) => next));
    }),
  );
});

test('of ten thousand items no message has more than a page can take at once, and of few changes only these', () => {
  const updates: OutboxUpdate[] = [];
  const tell = tellDifferences((update) => updates.push(update));
  const many = Array.from({ length: 10_000 }, (_, at) => item(at + 1));
  tell(view(many));
  const sizes = updates.map(({ upserts }) => upserts.length);
  expect(Math.max(...sizes)).toBe(MOST_TOLD_ITEMS);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10_000);
  updates.length = 0;
  tell(view(many.slice(1).map((one) => (one.order === 7 ? item(7, { kind: 'sent', seq: 1 }) : one))));
  expect(updates.flatMap(({ upserts }) => upserts.map(({ order }) => order))).toEqual([7]);
  expect(updates.flatMap(({ deletedIds }) => deletedIds)).toEqual(['c1']);
});
