import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COLLECTIONS } from '../../../src/contract/collections.ts';
import { LoadOrder } from './load-order.ts';

const names = fc.uniqueArray(fc.constantFrom(...COLLECTIONS), { maxLength: 4 });

test('whatever pages want and whenever they say so, each collection is loaded once', () => {
  fc.assert(
    fc.property(fc.array(names, { maxLength: COLLECTIONS.length }), (wishes) => {
      const order = new LoadOrder();
      const loaded = [];
      for (const name of order) {
        loaded.push(name);
        order.want(wishes[loaded.length] ?? []);
      }
      expect(loaded.toSorted()).toEqual([...COLLECTIONS].toSorted());
    }),
  );
});

test('what the page shows comes first, also where it is opened while a load runs, and the rest as ever', () => {
  const order = new LoadOrder();
  order.want(['checks']);
  const loaded = [];
  for (const name of order) {
    loaded.push(name);
    if (loaded.length === 2) order.want(['configs', 'checks']);
  }
  const rest = COLLECTIONS.filter((name) => !['checks', 'incidents', 'configs'].includes(name));
  expect(loaded).toEqual(['checks', 'incidents', 'configs', ...rest]);
  expect([...new LoadOrder()]).toEqual([...COLLECTIONS]);
});
