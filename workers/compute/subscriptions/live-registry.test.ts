/** Laws of the whole registry of live queries. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { COLLECTIONS } from '../../../src/contract/collections.ts';
import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { parseArgs } from '../../../src/contract/queries/parse-args.ts';
import type { LiveQueryName, QueryArgs } from '../../../src/contract/queries/queries.ts';
import { SORT_COLUMNS } from '../../../src/contract/worker.ts';
import { NO_QUESTION } from '../../../src/domain/catalog/changes-search.ts';
import { isGroupBy, isTabBy } from '../../../src/domain/check/grouping.ts';
import { isTimeRange } from '../../../src/domain/time/ranges.ts';
import { LIVE_HANDLERS } from '../../../tests/backends/live-query-handlers.ts';
import { liveHandlers } from './live-handlers.ts';

const window = { start: 0, end: 100 };
const ROWS: QueryArgs<'live-rows'> = {
  collection: 'configs',
  where: [],
  search: '',
  sort: [],
  groupBy: null,
  window,
};
const { collection: _, ...LISTED } = ROWS;
const HEALTH = {
  hidePassing: false,
  query: '',
  labels: {},
  groupBy: 'none',
  tabBy: 'namespace',
  tab: 'All',
  pivotBy: null,
  sortBy: 'name',
  sortDesc: false,
  timeRange: '1h',
  expanded: [],
} as const;
const CATALOG = {
  search: '',
  types: {},
  status: {},
  health: {},
  labels: { 'team:core': 1 },
  hideDeleted: true,
  sortBy: 'type',
  isDescending: false,
  groupBy: ['type'],
  hasItems: true,
  closed: [],
  favorites: [],
  wantsFacets: false,
} as const;
const INSIGHTS = {
  search: '',
  severity: null,
  type: null,
  analyzer: null,
  configId: null,
  configType: null,
  configIds: null,
  sortBy: 'severity',
  isDescending: true,
} as const;
const RELATIONS: QueryArgs<'live-relations'> = {
  configId: 'a',
  isIncoming: true,
  isOutgoing: true,
  isSoft: false,
  maxDepth: 3,
  hidesDeleted: true,
  types: {},
  labels: {},
  statuses: {},
  healths: {},
  tag: null,
  face: { kind: 'graph', direction: 'LR', toggled: [] },
};

const TOPOLOGY: QueryArgs<'live-topology'>['query'] = {
  rootId: null,
  isFlat: false,
  search: 'a',
  status: { unhealthy: 1 },
  types: {},
  teams: {},
  agents: {},
  labels: { 'team=a': -1 },
  hidesHidden: true,
  sortBy: 'field:cost',
  isDescending: true,
};

type Samples = {
  [Name in LiveQueryName]: { args: QueryArgs<Name>; bad: Record<string, unknown>; field: string };
};

/** Arguments as the app gives them, a part that they must not have, and the field that it is about. */
const SAMPLES: Samples = {
  'live-health': {
    args: { query: { ...HEALTH, expanded: [] }, window },
    bad: { query: { ...HEALTH, sortBy: 'colour' } },
    field: 'query.sortBy',
  },
  'live-check': { args: { checkId: 'a' }, bad: { checkId: 1 }, field: 'checkId' },
  'live-unread': { args: { userId: 'a' }, bad: { userId: null }, field: 'userId' },
  'live-rows': { args: ROWS, bad: { collection: 'secrets' }, field: 'collection' },
  'live-incidents': { args: LISTED, bad: { search: 7 }, field: 'search' },
  'live-changes': { args: NO_QUESTION, bad: { page: 0 }, field: 'page' },
  'live-catalog': {
    args: { query: CATALOG, window },
    bad: { query: { ...CATALOG, labels: { a: 2 } } },
    field: 'query.labels.a',
  },
  'live-insights': {
    args: { query: INSIGHTS, window },
    bad: { window: { start: -1, end: 2 } },
    field: 'window.start',
  },
  'live-logs': {
    args: {
      query: {
        book: 'a',
        search: '',
        levels: ['error'],
        untilSeq: null,
        between: null,
        groupBy: 'app',
        group: null,
      },
      window,
    },
    bad: {
      query: {
        book: 'a',
        search: '',
        levels: ['loud'],
        untilSeq: null,
        between: null,
        groupBy: 'app',
        group: null,
      },
    },
    field: 'query.levels.0',
  },
  'live-relations': {
    args: RELATIONS,
    bad: { face: { kind: 'graph', direction: 'UP', toggled: [] } },
    field: 'face.direction',
  },
  'live-topology': {
    args: { query: TOPOLOGY, window },
    bad: { query: { ...TOPOLOGY, status: { healthy: 2 } } },
    field: 'query.status.healthy',
  },
  'live-component': { args: { componentId: 'a' }, bad: { componentId: null }, field: 'componentId' },
  'live-topology-outline': {
    args: {
      query: { rootId: null, toggled: ['a/b'], sortBy: 'name', isDescending: false, hidesHidden: false },
      window,
    },
    bad: { window: { start: 'x', end: 2 } },
    field: 'window.start',
  },
  'live-silenced': { args: { kind: 'check' }, bad: { kind: 'team' }, field: 'kind' },
  'live-silence-preview': {
    args: {
      configId: null,
      componentId: null,
      checkId: 'a',
      canaryId: null,
      isRecursive: false,
      selector: null,
      filter: null,
      recurrence: [{ start: '22:00', end: '06:00', days: ['sat'] }],
    },
    bad: { selector: 5 },
    field: 'selector',
  },
  'live-component-picture': {
    args: { componentId: 'a', direction: 'LR', toggled: [] },
    bad: { direction: 'UP' },
    field: 'direction',
  },
};
const NAMES = Object.keys(LIVE_QUERIES) as LiveQueryName[];

test('every live query has a file of its name, every file a query, and all begin with live-', () => {
  expect([...LIVE_HANDLERS.keys()].toSorted()).toEqual(NAMES.toSorted());
  expect(NAMES.filter((name) => !name.startsWith('live-'))).toEqual([]);
  expect(() => liveHandlers({})).toThrow('does not answer the query of its name');
});

test.each(NAMES)(
  'arguments of %s come through, and bad ones are refused by the name of the field',
  (name) => {
    const { args, bad, field } = SAMPLES[name];
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
        expect(verdict(LIVE_QUERIES['live-health'].args, { query, window })).toEqual(
          known.success ? { query: known.data, window } : 'refused',
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
