import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namespaceOf, scheduleOf } from './resource-facts.ts';

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/);

test('a column of its own comes before the spec and before the name', () => {
  fc.assert(
    fc.property(word, word, word, (own, other, name) => {
      expect(scheduleOf({ schedule: own, spec: { schedule: other } })).toBe(own);
      expect(scheduleOf({ schedule: null, spec: { schedule: other } })).toBe(other);
      expect(namespaceOf({ namespace: own, name: `${other}/${name}` })).toBe(own);
      expect(namespaceOf({ namespace: null, name: `${other}/${name}` })).toBe(other);
    }),
  );
});

test('what is said nowhere is null', () => {
  for (const spec of [undefined, null, 'text', {}, { schedule: ' ' }, { schedule: 5 }])
    expect(scheduleOf({ spec })).toBeNull();
  expect(namespaceOf({ name: 'plain' })).toBeNull();
  expect(namespaceOf({})).toBeNull();
});
