import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TIME_RANGES } from '../../domain/time/ranges.ts';
import { healthSearch, type HealthSearch } from './url-state.ts';

const parseHealthSearch = (search: object) => healthSearch.parse(search);
const writeHealthSearch = (state: HealthSearch) => healthSearch.format(state);

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const labelKey = text.filter((key) => !key.includes(':'));
const grouping = fc.oneof(
  fc.constantFrom('namespace' as const, 'agent' as const),
  text.map((key) => `label:${key}` as const),
);

const states: fc.Arbitrary<HealthSearch> = fc.record(
  {
    layout: fc.constantFrom('table' as const, 'card' as const),
    timeRange: fc.constantFrom(...TIME_RANGES.map((range) => range.value)),
    checkId: text,
    labels: fc.dictionary(
      fc.tuple(labelKey, fc.string()).map(([key, value]) => `canary:${key}:${value}`),
      fc.constantFrom(1 as const, -1 as const),
      { minKeys: 1, maxKeys: 5 },
    ),
    query: text,
    pivotBy: fc.constantFrom(
      'none' as const,
      'namespace' as const,
      'agent' as const,
      'type' as const,
      'labels' as const,
    ),
    pivotLabel: text,
    pivotCellType: fc.constantFrom('checkStatus' as const, 'uptime' as const, 'latency' as const),
    sortBy: fc.constantFrom(
      'name' as const,
      'health' as const,
      'uptime' as const,
      'latency' as const,
      'transition' as const,
    ),
    sortDesc: fc.boolean(),
    groupBy: fc.oneof(
      fc.constantFrom(
        'none' as const,
        'canary_name' as const,
        'name' as const,
        'description' as const,
        'type' as const,
      ),
      text.map((key) => `label:${key}` as const),
    ),
    tabBy: grouping,
    tab: text,
    hidePassing: fc.boolean(),
  },
  { requiredKeys: [] },
);

test('any state comes back the same from a real query string', () => {
  fc.assert(
    fc.property(states, (state) => {
      const link = new URLSearchParams(Object.entries(writeHealthSearch(state))).toString();
      expect(parseHealthSearch(Object.fromEntries(new URLSearchParams(link)))).toEqual(state);
    }),
    { numRuns: 500 },
  );
});

test('whatever a query string holds, only valid values are taken from it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.anything()), (search) => {
      const state = parseHealthSearch(search);
      expect(parseHealthSearch(writeHealthSearch(state))).toEqual(state);
    }),
  );
});

test('invalid values count as absent, valid ones beside them stay', () => {
  expect(
    parseHealthSearch({
      groupBy: 'moon',
      tabBy: 'label:',
      timeRange: '7m',
      hidePassing: 'no',
      sortBy: 'uptime',
      layout: 'constructor',
    }),
  ).toEqual({ sortBy: 'uptime' });
});

test('label filters that are no JSON, no object or hold foreign entries are dropped', () => {
  expect(parseHealthSearch({ labels: '{"canary:a' })).toEqual({});
  expect(parseHealthSearch({ labels: '[1]' })).toEqual({});
  expect(
    parseHealthSearch({
      labels: '{"canary:app:shop":1,"canary:app:x":2,"other:a:b":1,"canary:env:prod":-1}',
    }),
  ).toEqual({
    labels: { 'canary:app:shop': 1, 'canary:env:prod': -1 },
  });
});
