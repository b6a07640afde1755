import { describe, expect, test } from 'vitest';
import {
  isNarrowed,
  parseListSearch,
  parsePageSearch,
  writeListSearch,
  writePageSearch,
} from './url-state.ts';

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
      search: 'db & co',
      start: '100',
      create: 'true',
    };
    expect(writeListSearch(parseListSearch(search))).toEqual(search);
  });

  test('an unknown value is as good as none', () => {
    expect(writeListSearch(parseListSearch({ type: 'x', severity: 5, status: 'gone', start: '-1' }))).toEqual(
      {},
    );
  });

  test('is narrowed by anything but the default', () => {
    expect(isNarrowed(parseListSearch({ start: '100' }))).toBe(false);
    expect(isNarrowed(parseListSearch({ status: 'all' }))).toBe(true);
  });
});

describe("the page's link", () => {
  test('says nothing of what is the default', () => {
    expect(writePageSearch(parsePageSearch({ tab: 'nowhere' }))).toEqual({});
  });

  test('comes back as it was written', () => {
    for (const search of [{ tab: 'plan', panel: 'none', comments: 'true' }, { panel: 'done' }]) {
      expect(writePageSearch(parsePageSearch(search))).toEqual(search);
    }
  });
});
