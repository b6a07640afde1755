import { describe, expect, test } from 'vitest';
import { listSearch, pageSearch } from './search-schemas.ts';
import {
  besideEachOther,
  isNarrowed,
  listLink,
  listState,
  oneAtATime,
  pageLink,
  pageState,
  type ListState,
  type PageState,
} from './url-state.ts';

const parseListSearch = (link: object) => listState(listSearch.parse(link));
const writeListSearch = (state: ListState) => listSearch.format(listLink(state));
const parsePageSearch = (link: object) => pageState(pageSearch.parse(link));
const writePageSearch = (state: PageState) => pageSearch.format(pageLink(state));

describe("the list's link", () => {
  test('says nothing of what is the default', () => {
    expect(writeListSearch(parseListSearch({}))).toEqual({});
    expect(parseListSearch({})).toMatchObject({ status: 'open', type: 'all', severity: 'all', start: 0 });
  });

  test('keeps a status of all apart from the default', () => {
    const state = parseListSearch({ status: 'all' });
    expect(state.status).toBe('all');
    expect(writeListSearch(state)).toEqual({ status: 'all' });
  });

  test('comes back as it was written', () => {
    const search = {
      type: 'cost',
      severity: 'high',
      status: 'closed',
      owner: '0192d5a4-0000-7000-8000-000000000001',
      component: '0192d5a4-0000-7000-8000-000000000002',
      search: 'db & co',
      sort: 'updated',
      start: '100',
      create: 'true',
      title: 'Down',
      description: 'since 10:40',
    };
    expect(writeListSearch(parseListSearch(search))).toEqual(search);
  });

  test('an unknown value is as good as none', () => {
    expect(writeListSearch(parseListSearch({ type: 'x', severity: 5, status: 'gone', start: '-1' }))).toEqual(
      {},
    );
  });

  test('carries what another app shared into the form for a new incident, and nowhere else', () => {
    const shared = {
      create: 'true',
      title: 'Disk full',
      description: 'on db-1',
      url: 'https://ci.example/7',
    };
    const state = parseListSearch(shared);
    expect(state).toMatchObject({ title: 'Disk full', description: 'on db-1\nhttps://ci.example/7' });
    expect(parseListSearch({ ...writeListSearch(state) })).toEqual(state);
    expect(parseListSearch({ ...shared, ...writeListSearch(state) })).toEqual(state);
    expect(parseListSearch({ title: 'Disk full' })).toMatchObject({ isCreating: false, title: '' });
  });

  test('values of older links count whatever their capitals', () => {
    expect(parseListSearch({ severity: 'Medium', type: 'technicaldebt', status: 'OPEN' })).toMatchObject({
      severity: 'medium',
      type: 'technicalDebt',
      status: 'open',
    });
    expect(parseListSearch({ created_by: '0192D5A4-0000-7000-8000-000000000001' }).owner).toBe(
      '0192d5a4-0000-7000-8000-000000000001',
    );
  });

  test('prefills the form only while it is open', () => {
    expect(parseListSearch({ title: 'Down' }).title).toBe('');
  });

  test('is narrowed by anything but the default', () => {
    expect(isNarrowed(parseListSearch({ start: '100' }))).toBe(false);
    expect(isNarrowed(parseListSearch({ status: 'all' }))).toBe(true);
  });
});

const COMMENT = '019a0000-0000-7000-8000-000000000001';

describe("the page's link", () => {
  test('names a comment by its id only', () => {
    expect(parsePageSearch({ comment: COMMENT }).comment).toBe(COMMENT);
    expect(parsePageSearch({ comment: '"]' }).comment).toBeNull();
  });

  test('says nothing of what is the default', () => {
    expect(writePageSearch(parsePageSearch({ tab: 'nowhere' }))).toEqual({});
  });

  test('comes back as it was written', () => {
    for (const search of [
      { tab: 'plan', panel: 'none', comments: 'true' },
      { panel: 'done' },
      { comment: COMMENT },
      { tab: 'changelog' },
    ]) {
      expect(writePageSearch(parsePageSearch(search))).toEqual(search);
    }
  });

  test('leads to the same section on a desk and on a phone', () => {
    expect(oneAtATime(parsePageSearch({ panel: 'done' }))).toBe('done');
    expect(oneAtATime(parsePageSearch({ tab: 'plan', panel: 'done' }))).toBe('plan');
    expect(oneAtATime(parsePageSearch({}))).toBe('comments');
    expect(besideEachOther(parsePageSearch({ tab: 'changelog' }))).toEqual({
      tab: 'comments',
      panel: 'changelog',
    });
    expect(besideEachOther(parsePageSearch({ tab: 'plan', panel: 'done' }))).toEqual({
      tab: 'plan',
      panel: 'done',
    });
  });
});
