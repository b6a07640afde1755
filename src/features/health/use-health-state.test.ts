import { expect, test } from 'vitest';
import { changedSearch } from './use-health-state.ts';

test('a value that equals its default is left out of the link', () => {
  expect(changedSearch({ sortBy: 'uptime', query: 'api' }, { sortBy: 'name' })).toEqual({ query: 'api' });
  expect(changedSearch({ labels: '{"canary:a:b":1}' }, { labels: {} })).toEqual({});
});

test('a change touches only what it names, even an explicit default that a link carried', () => {
  expect(changedSearch({ groupBy: 'canary_name' }, { hidePassing: false })).toEqual({
    groupBy: 'canary_name',
    hidePassing: 'false',
  });
});
