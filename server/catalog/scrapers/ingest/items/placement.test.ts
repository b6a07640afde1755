import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPlacement, type Placement } from './placement.ts';

/** From the parent up, as far as it goes; fails where that never ends. */
function ancestorsOf(placement: Placement, id: string): string[] {
  const chain: string[] = [];
  for (let next = placement.parentOf(id); next !== null; next = placement.parentOf(next)) {
    expect(chain.length).toBeLessThan(1000);
    chain.push(next);
  }
  return chain;
}

test('of any candidates the first that closes no circle is the parent', () => {
  const name = fc.integer({ min: 0, max: 11 }).map(String);
  const places = fc.array(fc.record({ id: name, candidates: fc.array(name, { maxLength: 4 }) }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(places, (given) => {
      const placement = createPlacement();
      for (const { id, candidates } of given) {
        const isPossible = (parent: string) => parent !== id && !ancestorsOf(placement, parent).includes(id);
        placement.place(id, []);
        const expected = candidates.find(isPossible) ?? null;
        const passedOver = placement.place(id, candidates);
        expect(placement.parentOf(id)).toBe(expected);
        expect(passedOver).toBe(expected === null ? candidates.length : candidates.indexOf(expected));
        expect(placement.pathOf(id)).toBe(ancestorsOf(placement, id).toReversed().join('.'));
      }
    }),
  );
});

test('of a deep item the nearest ancestors are in the path', () => {
  const placement = createPlacement();
  const names = Array.from({ length: 100 }, (_, at) => `item-${at}`);
  names.forEach((id, at) => placement.place(id, at === 0 ? [] : [`item-${at - 1}`]));
  expect(placement.pathOf('item-99').split('.')).toEqual(names.slice(39, 99));
});
