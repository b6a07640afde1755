/** What is remembered of a list says the same as what is worked out anew. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HealthQuery } from '../worker.ts';
import type { Entry } from './check-index.ts';
import { foundOf } from './check-lists.ts';

const anyEntry = fc
  .record({
    text: fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 6 }),
    app: fc.constantFrom('x', 'y'),
  })
  .map(({ text, app }) => ({ text, check: { labels: { app } } }) as unknown as Entry);
const anyQuestion = fc.record({
  query: fc.string({ unit: fc.constantFrom('a', 'B', 'c', ' '), maxLength: 3 }),
  labels: fc.constantFrom<HealthQuery['labels']>({}, { 'canary:app:x': 1 }, { 'canary:app:x': -1 }),
});

test('a search finds the same checks whatever was searched for before', () => {
  fc.assert(
    fc.property(fc.array(anyEntry), fc.array(anyQuestion, { maxLength: 8 }), (entries, questions) => {
      for (const question of questions) {
        const asked = question as HealthQuery;
        expect(foundOf(entries, asked)).toEqual(foundOf([...entries], asked));
      }
    }),
    { numRuns: 400 },
  );
});
