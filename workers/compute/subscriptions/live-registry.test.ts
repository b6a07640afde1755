/** Laws of the whole registry of live queries. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { COLLECTIONS } from '../../../src/contract/collections.ts';
import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { parseArgs } from '../../../src/contract/queries/parse-args.ts';
import type { LiveQueryName } from '../../../src/contract/queries/queries.ts';
import { SORT_COLUMNS } from '../../../src/contract/worker.ts';
import { isGroupBy, isTabBy } from '../../../src/domain/check/grouping.ts';
import { isTimeRange } from '../../../src/domain/time/ranges.ts';
import { LIVE_HANDLERS } from '../../../tests/backends/live-query-handlers.ts';
import { HEALTH, LIVE_SAMPLES, ROWS, WINDOW } from '../../../tests/backends/live-query-samples.ts';
import { liveHandlers } from './live-handlers.ts';

const NAMES = Object.keys(LIVE_QUERIES) as LiveQueryName[];

test('every live query has a file of its name, every file a query, and all begin with live-', () => {
  expect([...LIVE_HANDLERS.keys()].toSorted()).toEqual(NAMES.toSorted());
  expect(NAMES.filter((name) => !name.startsWith('live-'))).toEqual([]);
  expect(() => liveHandlers({})).toThrow('does not answer the query of its name');
});

test.each(NAMES)(
  'arguments of %s come through, and bad ones are refused by the name of the field',
  (name) => {
    const { args, bad, field } = LIVE_SAMPLES[name];
    const schema: z.core.$ZodType = LIVE_QUERIES[name].args;
    expect(parseArgs(schema, structuredClone(args))).toEqual(args);
    expect(() => parseArgs(schema, { ...args, ...bad })).toThrow(
      expect.objectContaining({ code: 'invalid', field }),
    );
  },
);

/** The registry's schemas are of zod/mini; the same rules once more with the whole library. */
describe('a question is taken as the contract says', () => {
  const verdict = (schema: z.core.$ZodType, asked: unknown) => {
    try {
      return parseArgs(schema, asked);
    } catch {
      return 'refused';
    }
  };
  const sign = z.union([z.literal(1), z.literal(-1)]);
  const word = (test: (text: string) => boolean) => z.string().refine(test);

  test('about the health board', () => {
    const contract = z.object({
      hidePassing: z.boolean(),
      query: z.string().max(1000),
      labels: z.record(z.string(), sign),
      groupBy: word(isGroupBy),
      tabBy: word(isTabBy),
      tab: z.string(),
      pivotBy: z.string().nullable(),
      sortBy: z.enum(SORT_COLUMNS),
      sortDesc: z.boolean(),
      timeRange: word(isTimeRange),
      expanded: z.array(z.string()),
    });
    const field = fc.constantFrom(...Object.keys(HEALTH), 'none of them');
    const junk = fc.oneof(
      fc.constantFrom<unknown>(null, ['a'], { a: 1 }, { a: -1 }, 'name', 'health', '1d', 'x'.repeat(1001)),
      fc.string(),
      fc.integer(),
      fc.boolean(),
    );
    fc.assert(
      fc.property(field, junk, field, (key, value, other) => {
        const query = { ...HEALTH, [key]: value, [other]: value };
        const known = contract.safeParse(query);
        expect(verdict(LIVE_QUERIES['live-health'].args, { query, window: WINDOW })).toEqual(
          known.success ? { query: known.data, window: WINDOW } : 'refused',
        );
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  test('about rows', () => {
    const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
    const at = z.number().int().min(0);
    const contract = z.object({
      collection: z.enum(COLLECTIONS),
      where: z.array(
        z.union([
          z.object({ field: z.string(), op: z.enum(['eq', 'not', 'gte', 'lte']), value: scalar }),
          z.object({ field: z.string(), op: z.enum(['in', 'not-in']), values: z.array(scalar) }),
        ]),
      ),
      search: z.string().max(1000),
      sort: z.array(z.object({ field: z.string(), isDescending: z.boolean() })),
      groupBy: z.string().nullable(),
      window: z.object({ start: at, end: at }),
    });
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constant({}));
    const condition = fc.record(
      {
        field: fc.oneof(fc.string(), fc.constant(3)),
        op: fc.constantFrom('eq', 'not', 'gte', 'in', 'not-in', 'like'),
        value,
        values: fc.oneof(fc.array(value, { maxLength: 2 }), fc.constant('x')),
      },
      { requiredKeys: ['field', 'op'] },
    );
    const asked = fc.record({
      collection: fc.constantFrom('incidents', 'connections', 'nonsense', 5),
      where: fc.oneof(fc.array(condition, { maxLength: 2 }), fc.constant(null)),
      search: fc.constantFrom('', 'word', 'x'.repeat(1001), 1),
      sort: fc.array(fc.record({ field: fc.constantFrom('a', 1), isDescending: fc.constantFrom(true, 0) }), {
        maxLength: 1,
      }),
      groupBy: fc.constantFrom(null, 'type', 4),
      window: fc.record({ start: fc.constantFrom(0, 5, -1), end: fc.constantFrom(7, 50, 1.5) }),
    });
    fc.assert(
      fc.property(asked, (question) => {
        const known = contract.safeParse(question);
        expect(verdict(LIVE_QUERIES['live-rows'].args, question)).toEqual(
          known.success ? known.data : 'refused',
        );
      }),
      { numRuns: 2000 },
    );
  });

  test('and a window that is too large is cut', () => {
    const asked = { ...ROWS, window: { start: 10, end: 5000 } };
    expect(verdict(LIVE_QUERIES['live-rows'].args, asked)).toMatchObject({ window: { start: 10, end: 110 } });
  });
});
