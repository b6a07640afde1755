import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  groupChildren,
  isGroupOpen,
  visibleGraph,
  type ChildrenOf,
  type GroupedChildren,
} from './relation-graph.ts';
import { addTo } from '../../lib/group-by.ts';

const typeOf = (id: string) => id.replace(/\d+$/, '');
const grouped = (children: Record<string, string[]>, side: 'outgoing' | 'incoming' = 'outgoing') =>
  groupChildren({ side, childrenOf: new Map(Object.entries(children)), typeOf });
const NONE: ReadonlySet<string> = new Set();
const see = (sides: GroupedChildren[], toggled = NONE, limit = 500) =>
  visibleGraph({ rootId: 'root', sides, toggled, limit });

describe('groups of related items', () => {
  test('one child is never grouped', () => {
    expect(grouped({ root: ['pod1'] }).childrenOf.get('root')).toEqual(['pod1']);
  });

  test('two of a type stay on their own', () => {
    expect(grouped({ root: ['pod1', 'pod2'] }).groups.size).toBe(0);
  });

  test('three of a type get a group that takes them over; others stay', () => {
    const { childrenOf, groups } = grouped({ root: ['pod1', 'svc1', 'pod2', 'pod3'] });
    expect(childrenOf.get('root')).toEqual(['root-pod-intermediary', 'svc1']);
    expect(groups.get('root-pod-intermediary')).toMatchObject({
      type: 'pod',
      ownerIds: ['root'],
      memberIds: ['pod1', 'pod2', 'pod3'],
    });
  });

  test('an item related to itself is not among its own children', () => {
    expect(grouped({ pod1: ['pod1', 'pod2', 'pod3'] }).groups.size).toBe(0);
  });

  test('groups of the same items are one group, with every owner', () => {
    const { childrenOf, groups } = grouped({
      root: ['node1', 'node2'],
      node1: ['pod1', 'pod2', 'pod3'],
      node2: ['pod3', 'pod1', 'pod2'],
    });
    const id = 'node1-pod-intermediary-combined-with-node2-pod-intermediary';
    expect([...groups.keys()]).toEqual([id]);
    expect(groups.get(id)?.ownerIds).toEqual(['node1', 'node2']);
    expect([childrenOf.get('node1'), childrenOf.get('node2')]).toEqual([[id], [id]]);
  });

  test('what leads to an item is grouped as well, apart from what it leads to', () => {
    const pods = ['pod1', 'pod2', 'pod3'];
    const [out, into] = [grouped({ root: pods }), grouped({ root: pods }, 'incoming')];
    expect([...out.groups.keys()]).not.toEqual([...into.groups.keys()]);
  });
});

describe('what can be seen', () => {
  const pods = (count: number) => Array.from({ length: count }, (_, at) => `pod${at}`);

  test('a group of three starts open, one of four closed', () => {
    expect(see([grouped({ root: pods(3) })]).ids).toContain('pod2');
    expect(see([grouped({ root: pods(4) })]).ids).toEqual(['root', 'root-pod-intermediary']);
  });

  test('pressing a group opens what was closed and closes what was open', () => {
    const pressed = new Set(['root-pod-intermediary']);
    expect(see([grouped({ root: pods(4) })], pressed).ids).toHaveLength(6);
    expect(see([grouped({ root: pods(3) })], pressed).ids).toEqual(['root', 'root-pod-intermediary']);
  });

  test('what lies behind a closed group is hidden, unless another way leads to it', () => {
    const sides = [
      grouped({ root: [...pods(4), 'svc1'], pod0: ['disk1'], pod1: ['disk2'], svc1: ['disk2'] }),
    ];
    const { ids } = see(sides);
    expect(ids).not.toContain('disk1');
    expect(ids).toContain('disk2');
  });

  test('lines go the way of the relation on both sides', () => {
    const sides = [grouped({ root: ['pod1'] }), grouped({ root: ['cluster1'] }, 'incoming')];
    expect(see(sides).edges).toEqual([
      { from: 'root', to: 'pod1' },
      { from: 'cluster1', to: 'root' },
    ]);
  });

  test('beyond the limit the farthest are left out, and counted', () => {
    const { ids, cut } = see([grouped({ root: ['a1', 'b1'], a1: ['c1'] })], NONE, 3);
    expect([ids, cut]).toEqual([['root', 'a1', 'b1'], 1]);
  });
});

describe('in any graph', () => {
  const ids = [
    'root',
    ...['pod', 'svc', 'node'].flatMap((type) => [1, 2, 3, 4, 5].map((at) => `${type}${at}`)),
  ];
  const edge = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids));
  const graph = fc.tuple(
    fc.array(edge, { maxLength: 60 }),
    fc.array(edge, { maxLength: 30 }),
    fc.integer({ min: 1, max: 40 }),
    fc.func(fc.boolean()),
  );
  const childrenOf = (edges: readonly (readonly [string, string])[]): ChildrenOf => {
    const children = new Map<string, string[]>();
    for (const [from, to] of edges) addTo(children, from, to);
    return children;
  };
  const build = (edges: [string, string][], side: 'outgoing' | 'incoming') =>
    groupChildren({ side, childrenOf: childrenOf(edges), typeOf });

  test('nothing is there twice, the item itself always is, and lines join only what is there', () => {
    fc.assert(
      fc.property(graph, ([out, into, limit, press]) => {
        const sides = [build(out, 'outgoing'), build(into, 'incoming')];
        const toggled = new Set(sides.flatMap((side) => [...side.groups.keys()].filter((id) => press(id))));
        const seen = visibleGraph({ rootId: 'root', sides, toggled, limit });
        expect(new Set(seen.ids).size).toBe(seen.ids.length);
        expect(seen.ids[0]).toBe('root');
        expect(seen.ids.length).toBeLessThanOrEqual(limit);
        const all = new Set(seen.ids);
        for (const { from, to } of seen.edges) expect(all.has(from) && all.has(to)).toBe(true);
        expect(new Set(seen.edges.map((one) => JSON.stringify(one))).size).toBe(seen.edges.length);
      }),
    );
  });

  test('every child keeps its place: directly, or in exactly one group of its type', () => {
    fc.assert(
      fc.property(graph, ([out]) => {
        const { groups, childrenOf: after } = build(out, 'outgoing');
        for (const [id, children] of childrenOf(out)) {
          const wanted = [...new Set(children)].filter((child) => child !== id);
          const found = (after.get(id) ?? []).flatMap((child) => groups.get(child)?.memberIds ?? [child]);
          expect(found.toSorted()).toEqual(wanted.toSorted());
        }
        for (const group of groups.values()) {
          expect(group.memberIds.length).toBeGreaterThanOrEqual(3);
          expect(new Set(group.memberIds.map(typeOf))).toEqual(new Set([group.type]));
          for (const owner of group.ownerIds) expect(after.get(owner)).toContain(group.id);
        }
        const members = [...groups.values()].map((group) => group.memberIds.toSorted().join());
        expect(new Set(members).size).toBe(members.length);
      }),
    );
  });

  test('with every group open all that the item leads to can be seen', () => {
    fc.assert(
      fc.property(graph, ([out]) => {
        const side = build(out, 'outgoing');
        const toggled = new Set(
          [...side.groups.values()].filter((one) => !isGroupOpen(one, NONE)).map(({ id }) => id),
        );
        const { ids: seen } = visibleGraph({ rootId: 'root', sides: [side], toggled, limit: 500 });
        const reached = new Set(['root']);
        for (const id of reached) for (const child of childrenOf(out).get(id) ?? []) reached.add(child);
        expect(seen.filter((id) => !side.groups.has(id)).toSorted()).toEqual([...reached].toSorted());
      }),
    );
  });
});
