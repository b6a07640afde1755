/** A check's group is the one that its key says, whatever was asked of the list before. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from './check-index.ts';
import { groupingOf } from './groupings.ts';

const anyList = fc.array(fc.record({ a: fc.constantFrom('x', 'y', 'z'), b: fc.constantFrom('1', '2') }), {
  maxLength: 20,
});
const anyAsked = fc.array(fc.constantFrom('a', 'b', 'ab', 'none', 'ba', 'aa'), { maxLength: 12 });

test('each check is in the group of its key, and each group is of the list', () => {
  fc.assert(
    fc.property(anyList, anyAsked, (checks, asked) => {
      const entries = checks.map((check) => ({ check }) as unknown as Entry);
      for (const name of asked) {
        const keyOf = ({ check }: Entry) =>
          name
            .split('')
            .map((letter) => String(Reflect.get(check, letter)))
            .join('-');
        const { keys, groupAt } = groupingOf(entries, name, keyOf);
        expect([...groupAt].map((group) => keys[group])).toEqual(entries.map(keyOf));
        expect(new Set(keys)).toEqual(new Set(entries.map(keyOf)));
        expect(keys).toHaveLength(new Set(keys).size);
      }
    }),
  );
});
