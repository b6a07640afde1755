import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REACHES, SEVERITIES } from '../../../domain/catalog/changes-search.ts';
import { writeRange } from '../../../domain/time/time-range.ts';
import type { TableState } from '../../../ui/tables/table-state.ts';
import { changesSearch } from '../search-schemas.ts';
import * as state from './url-state.ts';

type Link = Record<string, string>;
const NOW = Date.parse('2026-03-10T12:00:00Z');
const asked = (link: object, configId: string | null = null) =>
  state.questionOf(changesSearch.parse(link), { configId, isDeletedHidden: true, nowMs: NOW });
const parseFilter = (link: Link, name: state.ListFilter) => state.filterOf(changesSearch.parse(link), name);
const tableOf = (link: Link) => state.tableOf(changesSearch.parse(link));
const changed = (link: Link, change: object): Link =>
  changesSearch.format({ ...link, ...changesSearch.parse(link), ...change });
const withFilter = (link: Link, ...filter: Parameters<typeof state.filterLink>) =>
  changed(link, state.filterLink(...filter));
const withCellFilter = (link: Link, name: state.CellFilter, pressed: { value: string; state: 1 | -1 }) =>
  changed(link, state.cellFilterLink(changesSearch.parse(link), name, pressed));
const withReach = (link: Link, ...reach: Parameters<typeof state.reachLink>) =>
  changed(link, state.reachLink(...reach));
const withSeverity = (link: Link, severity: string) => changed(link, { ...state.FIRST_PAGE, severity });
const withTable = (link: Link, table: TableState) => changed(link, state.tableLink(table));

describe('a link', () => {
  test('without anything asks for the newest of the last two days, without deleted items', () => {
    expect(asked({})).toMatchObject({
      from: 'now-2d',
      to: '',
      page: 1,
      page_size: 200,
      sort_by: '-created_at',
      include_deleted_configs: false,
      recursive: 'none',
    });
  });

  test('asks for the page and the order that it names', () => {
    const search = withTable({}, { sortBy: 'name', isDescending: false, pageIndex: 2, pageSize: 50 });
    expect(asked(search)).toMatchObject({ page: 3, page_size: 50, sort_by: 'name' });
    expect(asked({ pageIndex: '1' }).page).toBe(2);
    expect(asked({ sortBy: 'created_at', sortOrder: 'asc' }).sort_by).toBe('created_at');
    expect(asked({ sortBy: 'tags', pageSize: '7', page: '-1' })).toMatchObject({
      sort_by: '-created_at',
      page: 1,
      page_size: 200,
    });
  });

  test('to one type, as the spec writes it, asks for that type', () => {
    expect(asked({ configType: 'AWS::EC2::Instance' }).config_type).toBe('AWS::EC2::Instance');
    expect(asked({ configTypes: 'AWS__EC2__Instance:1,Kubernetes__Pod:-1' }).config_type).toBe(
      'AWS::EC2::Instance,!Kubernetes::Pod',
    );
  });

  test('writes tags as a selector with one sign a key', () => {
    const search = { tags: 'zone____a:1,zone____b:1,env____dev:-1,app____x:1,app____y:-1' };
    expect(asked(search).tags).toBe('zone in (a,b),env!=dev,app=x');
  });

  test('encodes what the server decodes, and joins both kinds of author', () => {
    const search = withCellFilter({}, 'summary', { value: 'a, b: 50%', state: 1 });
    const more = withCellFilter(search, 'external_created_by', { value: 'kubelet', state: -1 });
    expect(asked(more)).toMatchObject({ summary: 'a%2C%20b%3A%2050%25', created_by: '!kubelet' });
  });

  test('to a named day means the whole of it', () => {
    const { from, to } = asked({ ...writeRange({ kind: 'mapped', name: 'Yesterday' }) });
    expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
  });

  test('of an item reaches downstream until another reach is chosen', () => {
    const item = '30000000-0000-4000-8000-000000000001';
    expect(asked({}, item)).toMatchObject({ id: item, recursive: 'downstream' });
    for (const reach of REACHES) expect(asked(withReach({}, reach), item).recursive).toBe(reach);
  });
});

test('a filter is read as it was written, and goes back to the first page', () => {
  const value = fc.oneof(fc.stringMatching(/^[A-Za-z][A-Za-z0-9 .,/-]{0,12}$/), fc.constant('A::B::C'));
  const name = fc.constantFrom('changeType', 'configTypes', 'tags', 'source', 'id');
  const filter = fc.dictionary(value, fc.constantFrom(1 as const, -1 as const), { noNullPrototype: true });
  fc.assert(
    fc.property(name, filter, (key, wanted) => {
      const search = withFilter({ page: '3', other: 'x' }, key, wanted);
      expect(parseFilter(search, key)).toEqual(wanted);
      expect(tableOf(search).pageIndex).toBe(0);
      expect(search['other']).toBe('x');
    }),
  );
});

test('a mark on a cell is let go by pressing it again', () => {
  const once = withCellFilter({}, 'source', { value: 'a', state: 1 });
  expect(parseFilter(once, 'source')).toEqual({ a: 1 });
  expect(withCellFilter(once, 'source', { value: 'a', state: 1 })).toEqual({});
  expect(parseFilter(withCellFilter(once, 'source', { value: 'a', state: -1 }), 'source')).toEqual({ a: -1 });
});

test('only known severities are asked for, in any case', () => {
  for (const severity of SEVERITIES) expect(asked(withSeverity({}, severity)).severity).toBe(severity);
  expect(asked({ severity: 'Info' }).severity).toBe('info');
  expect(asked({ severity: 'nonsense' }).severity).toBe('');
});
