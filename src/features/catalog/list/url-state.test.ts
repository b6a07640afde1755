import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CatalogGroupRow } from '../../../contract/catalog-view.ts';
import { narrowedTo } from './narrowed-to.ts';
import { catalogSearch } from '../search-schemas.ts';
import { catalogLink, catalogQueryOf, catalogState, isListed, type CatalogState } from './url-state.ts';

const parseCatalogSearch = (link: object) => catalogState(catalogSearch.parse(link));
const writeCatalogSearch = (state: CatalogState) => catalogSearch.format(catalogLink(state));

const HABITS = { hideDeleted: true, favorites: [], closed: [], wantsFacets: false };
const sign = fc.constantFrom(1 as const, -1 as const);
const value = fc.constantFrom('prod', 'a,b', 'x:y', 'ends:1', 'Ümlaut', '1');
const tri = (keys: fc.Arbitrary<string>) => fc.dictionary(keys, sign, { maxKeys: 3 });
const states: fc.Arbitrary<CatalogState> = fc.record({
  types: tri(fc.constantFrom('Kubernetes::Pod', 'AWS::EC2::Instance', 'Plain')),
  search: fc.constantFrom('', 'api', 'a b', 'ünï'),
  sortBy: fc.constantFrom('type' as const, 'name' as const, 'cost_total_1d' as const),
  isDescending: fc.boolean(),
  groups: fc.constantFrom(null, [], ['type'], ['config_class', 'tag:cluster'], ['tag:a.b/c', 'analysis']),
  labels: tri(fc.tuple(fc.constantFrom('app', 'a.b/c'), value).map((pair) => pair.join(':'))),
  status: tri(value),
  health: tri(fc.constantFrom('healthy', 'unknown')),
});

describe('the link', () => {
  test('what is written is read as the same', () => {
    fc.assert(
      fc.property(states, (state) => {
        const text = new URLSearchParams({ ...writeCatalogSearch(state) }).toString();
        expect(parseCatalogSearch(Object.fromEntries(new URLSearchParams(text)))).toEqual(state);
      }),
      { numRuns: 300 },
    );
  });

  test('nothing chosen is an empty query string', () => {
    expect(writeCatalogSearch(parseCatalogSearch({ pageIndex: '3', pageSize: '50' }))).toEqual({});
  });

  test.each([
    [{ configType: 'Kubernetes::Pod' }, { 'Kubernetes::Pod': 1 }],
    [{ type: 'AWS::EC2' }, { 'AWS::EC2': 1 }],
    [{ configType: 'Kubernetes__Pod:1,AWS__EC2:-1' }, { 'Kubernetes::Pod': 1, 'AWS::EC2': -1 }],
  ])('types are read as links of any version write them: %j', (search, types) => {
    expect(parseCatalogSearch(search).types).toEqual(types);
  });

  test.each([
    ['cluster____prod:1', { 'cluster:prod': 1 }],
    ['cluster____prod:-1,app____a||||b:1', { 'cluster:prod': -1, 'app:a,b': 1 }],
    ['cluster__:__prod', { 'cluster:prod': 1 }],
    ['cluster__:__prod:-1', { 'cluster:prod': -1 }],
    ['nonsense', {}],
  ])('labels are read as links of any version write them: %s', (labels, found) => {
    expect(parseCatalogSearch({ labels }).labels).toEqual(found);
  });

  test('groups are read with provider for the class and tags by their suffix; unknown ones are left out', () => {
    expect(parseCatalogSearch({ groupBy: 'provider,nonsense,cluster__tag' }).groups).toEqual([
      'config_class',
      'tag:cluster',
    ]);
  });
});

describe('what is asked', () => {
  const state = parseCatalogSearch({});

  test('without a type and a search a summary by class and type', () => {
    expect(catalogQueryOf(state, HABITS)).toMatchObject({
      groupBy: ['config_class', 'type'],
      hasItems: false,
    });
  });

  test('with a type or a search a list, and no groups by what is the same in all rows', () => {
    const typed = { ...state, types: { 'A::B': 1 as const } };
    expect(catalogQueryOf(typed, HABITS)).toMatchObject({ groupBy: [], hasItems: true });
    const grouped = { ...typed, groups: ['type', 'tag:cluster'] };
    expect(catalogQueryOf(grouped, HABITS)).toMatchObject({ groupBy: ['tag:cluster'], hasItems: true });
    expect(isListed({ ...state, search: ' ' })).toBe(false);
  });
});

const group = (path: CatalogGroupRow['path']): CatalogGroupRow => ({
  kind: 'group',
  key: 'key',
  depth: path.length - 1,
  by: path.at(-1)?.by ?? '',
  value: path.at(-1)?.value ?? null,
  path,
  count: 1,
  health: { healthy: 1, unhealthy: 0, warning: 0, unknown: 0 },
  changes: 0,
  analysis: {},
  cost1d: 0,
  cost7d: 0,
  cost30d: 0,
  createdAt: null,
  updatedAt: null,
  isOpen: null,
  isFavorite: false,
});

describe('a pressed group', () => {
  const state = parseCatalogSearch({ groupBy: 'cluster__tag,type' });

  test('becomes its type and its tags as filters, and the grouping is done with', () => {
    const row = group([
      { by: 'tag:cluster', value: 'prod:eu' },
      { by: 'type', value: 'A::B' },
    ]);
    expect(narrowedTo(row, state)).toEqual({
      types: { 'A::B': 1 },
      labels: { 'cluster:prod:eu': 1 },
      search: '',
      groups: null,
    });
  });

  test('without a type lists its items ungrouped rather than showing the summary again', () => {
    const next = { ...state, ...narrowedTo(group([{ by: 'tag:cluster', value: 'prod' }]), state) };
    expect(isListed(next)).toBe(true);
    expect(catalogQueryOf(next, HABITS)).toMatchObject({ groupBy: [], labels: { 'cluster:prod': 1 } });
  });
});
