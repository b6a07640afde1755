/** What links to the topology say, and what they leave unsaid (spec 2 §2). */
import { expect, test } from 'vitest';
import { links } from '../../domain/links.ts';
import { componentSearch } from './search-schemas.ts';
import { DEFAULT_SORT, readSort, writeSort } from './sort-preferences.ts';
import { componentHref, topologyLink, topologyState } from './url-state.ts';

const BY_NAME = { sortBy: 'name', isDescending: false };

function device() {
  const settings = new Map<string, string>();
  return {
    settings,
    readSetting: (key: string) => settings.get(key) ?? null,
    writeSetting: (key: string, value: string) => void settings.set(key, value),
  };
}

test('health, worst first, goes unsaid, but not where another order is remembered', () => {
  const state = topologyState({ sortBy: 'status', sortOrder: 'desc' }, BY_NAME);
  expect(state).toMatchObject(DEFAULT_SORT);
  expect(topologyLink(state, DEFAULT_SORT)).toMatchObject({ sortBy: undefined, sortOrder: undefined });
  expect(topologyLink(state, BY_NAME)).toMatchObject({ sortBy: 'status', sortOrder: 'desc' });
  expect(topologyState({}, BY_NAME)).toMatchObject(BY_NAME);
});

test('the order is remembered under the keys of former versions, the default as nothing', () => {
  const own = device();
  writeSort(own, BY_NAME);
  expect(own.settings.get('topologyCardsSortByStandard')).toBe('name');
  expect(own.settings.get('topologyCardsSortOrder')).toBe('asc');
  expect(readSort(own)).toEqual(BY_NAME);
  writeSort(own, { sortBy: 'field:cpu', isDescending: true });
  expect(own.settings.get('topologyCardsSortByCustom')).toBe('field:cpu');
  expect(readSort(own)).toEqual({ sortBy: 'field:cpu', isDescending: true });
  writeSort(own, DEFAULT_SORT);
  expect([...own.settings.values()]).toEqual(['', '', '']);
});

test('a link between components keeps what narrows them and says where one came from', () => {
  const search = componentSearch.parse({
    labels: 'team=a',
    showHiddenComponents: 'no',
    search: 'x',
    refererId: 'old',
  });
  const query = 'labels=team%3Da&showHiddenComponents=no&refererId=from';
  expect(componentHref('to', { search, from: 'from' })).toBe(`/topology/to?${query}`);
  expect(componentHref('to', { search, from: 'from', linkOf: links.standaloneComponent })).toBe(
    `/view/topology/to?${query}`,
  );
  expect(componentHref('to', { search: componentSearch.parse({}), from: null })).toBe('/topology/to');
});
