/** What follows from the answer to a list before says the same as what is worked out anew. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupingOf } from './groupings.ts';
import { changesSince, createListCache, renewList } from './list-cache.ts';

const anyLetter = fc.constantFrom('a', 'b', 'c');
const anyChanges = fc.array(fc.tuple(fc.nat(9), anyLetter), { maxLength: 4 });
const keyOf = (letter: string) => (letter === 'c' ? 'others' : letter);

test('groups of a renewed list are those of a list that was made anew', () => {
  fc.assert(
    fc.property(
      fc.array(anyLetter, { minLength: 10, maxLength: 10 }),
      fc.array(anyChanges),
      (first, steps) => {
        let list: readonly string[] = first;
        for (const step of steps) {
          groupingOf(list, 'key', keyOf);
          list = renewList(list, new Map(step));
          expect(groupingOf(list, 'key', keyOf)).toEqual(groupingOf([...list], 'key', keyOf));
        }
      },
    ),
  );
});

test('an answer follows from that to an earlier list where there is one, and is made where there is none', () => {
  const cache = createListCache<number, string>(2);
  const asked: string[] = [];
  const ask = (list: readonly number[], name: string) =>
    cache(list, name, {
      make: () => {
        asked.push('made');
        return `${name} ${list.join()}`;
      },
      follow: (known, changes) => {
        asked.push('followed');
        return changes.has(0) ? null : `${known} then ${[...changes.values()].join()}`;
      },
    });
  const first = [1, 2, 3];
  expect(ask(first, 'sum')).toBe('sum 1,2,3');
  const second = renewList(first, new Map([[1, 9]]));
  expect(second).toEqual([1, 9, 3]);
  expect(first).toEqual([1, 2, 3]);
  const third = renewList(second, new Map([[2, 8]]));
  expect(ask(third, 'sum')).toBe('sum 1,2,3 then 9,8');
  expect(ask(third, 'sum')).toBe('sum 1,2,3 then 9,8');
  expect(ask(third, 'other')).toBe('other 1,9,8');
  expect(ask(renewList(third, new Map([[0, 7]])), 'sum')).toBe('sum 7,9,8');
  expect(ask([1, 9, 8], 'sum')).toBe('sum 1,9,8');
  expect(asked).toEqual(['made', 'followed', 'made', 'followed', 'made', 'made']);
});

test('what changed between two lists is told when one was renewed of the other, in however many steps', () => {
  const first = [1, 2];
  const second = renewList(first, new Map([[0, 5]]));
  const third = renewList(second, new Map([[1, 6]]));
  expect(changesSince(first, third)).toEqual(
    new Map([
      [0, 5],
      [1, 6],
    ]),
  );
  expect(changesSince(third, second)).toEqual(new Map([[1, 2]]));
  expect(changesSince(first, [5, 6])).toBeNull();
});
