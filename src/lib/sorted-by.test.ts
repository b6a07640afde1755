import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortedBy } from './sorted-by.ts';

it('orders as a comparison of the numbers does, and reads each number once', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ id: fc.nat(), at: fc.integer({ min: -3, max: 3 }) })), (rows) => {
      let reads = 0;
      const sorted = sortedBy(rows, ({ at }) => {
        reads += 1;
        return at;
      });
      expect(sorted).toEqual(rows.toSorted((a, b) => a.at - b.at));
      expect(reads).toBe(rows.length);
    }),
  );
});
