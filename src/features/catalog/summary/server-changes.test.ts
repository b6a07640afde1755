import { describe, expect, test } from 'vitest';
import { catalogSearch } from '../search-schemas.ts';
import { catalogState } from '../list/url-state.ts';
import { changesByGroup, pathKey, summaryQuestion } from './server-changes.ts';

const parse = (link: object) => catalogState(catalogSearch.parse(link));
const STATE = parse({});

describe('what the server is asked', () => {
  test('the class is told by the type; tags go by their keys; filters as match lists', () => {
    const state = parse({ status: 'Running:1,Failing:-1', health: 'healthy:-1' });
    expect(summaryQuestion(state, ['config_class', 'tag:cluster'], true)).toEqual({
      groupBy: ['cluster', 'type'],
      deleted: false,
      status: 'Running,!Failing',
      health: '!healthy',
    });
  });

  test.each([
    [parse({ search: 'api' }), ['type']],
    [parse({ labels: 'a____b:1' }), ['type']],
    [parse({ configType: 'A__B:-1' }), ['type']],
    [STATE, ['name']],
    [STATE, ['analysis']],
    [STATE, []],
  ])('nothing where its answer would be about other items than the rows', (state, groups) => {
    expect(summaryQuestion(state, groups, true)).toBeNull();
  });
});

test('each level of the summary has the changes of what is below it', () => {
  const sums = changesByGroup(
    [
      { count: 1, type: 'AWS::EC2', changes: 5 },
      { count: 2, type: 'AWS::RDS', changes: 7 },
      { count: 3, type: 'K8s::Pod' },
      { count: 4, type: '', changes: 1 },
    ],
    ['config_class', 'type'],
  );
  const of = (...values: (string | null)[]) =>
    sums.get(pathKey({ path: values.map((value) => ({ by: '', value })) }));
  expect(of('AWS')).toBe(12);
  expect(of('AWS', 'AWS::RDS')).toBe(7);
  expect(of('K8s', 'K8s::Pod')).toBe(0);
  expect(of(null, null)).toBeUndefined();
});
