import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitOf } from './fit.ts';

it('every entry of a list is shown or counted, the first is shown, and no more places are taken than there are', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.integer({ min: 1, max: 50 }), (total, capacity) => {
      const { shown, more } = fitOf(total, capacity);
      expect(shown + more).toBe(total);
      expect(shown).toBeGreaterThan(total === 0 ? -1 : 0);
      // One that fits alone has the count beside it.
      expect(shown + (more > 0 && capacity > 1 ? 1 : 0)).toBeLessThanOrEqual(capacity);
    }),
  );
});
