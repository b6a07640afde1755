import { describe, expect, test } from 'vitest';
import { relationsSearch } from '../search-schemas.ts';
import { relationsLink, relationsState, withIncoming, type RelationsState } from './url-state.ts';

const parseRelations = (link: object) => relationsState(relationsSearch.parse(link));
const writeRelations = (state: RelationsState) => relationsSearch.format(relationsLink(state));

describe('the link of the relationships page', () => {
  test('starts with outgoing hard relations, all the way down', () => {
    expect(parseRelations({})).toMatchObject({
      isIncoming: false,
      isOutgoing: true,
      isSoft: false,
      depth: 10,
      sortBy: 'tree',
    });
  });

  test('keeps nothing that is as it starts', () => {
    expect(writeRelations(parseRelations({}))).toEqual({});
  });

  test('carries every filter there and back', () => {
    const search = {
      incoming: 'true',
      outgoing: 'false',
      relationship: 'soft',
      depth: '3',
      configTypes: 'Kubernetes__Pod:1,Kubernetes__Node:-1',
      labels: 'app____api:1',
      status: 'Running:-1',
      health: 'unhealthy:1',
      tag: 'namespace__:__prod',
      sortBy: 'name',
      sortOrder: 'desc',
    };
    const state = parseRelations(search);
    expect(state.types).toEqual({ 'Kubernetes::Pod': 1, 'Kubernetes::Node': -1 });
    expect(state.labels).toEqual({ 'app:api': 1 });
    expect(state.tag).toEqual({ key: 'namespace', value: 'prod' });
    expect(writeRelations(state)).toEqual(search);
  });

  test('a link cannot turn both sides off', () => {
    expect(parseRelations({ outgoing: 'false' }).isOutgoing).toBe(true);
  });

  test('turning incoming off turns outgoing on', () => {
    const incoming = parseRelations({ incoming: 'true', outgoing: 'false' });
    expect(incoming.isOutgoing).toBe(false);
    expect(withIncoming(incoming, false)).toMatchObject({ isIncoming: false, isOutgoing: true });
  });

  test.each(['0', '11', '2.5', 'deep', ''])('a depth of "%s" is none', (depth) => {
    expect(parseRelations({ depth }).depth).toBe(10);
  });
});
