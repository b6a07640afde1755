/**
 * Summary, health and status of components (schema §6.5), kept up to date while components change. A change of one
 * costs as much as there is above it, whatever stands beside it; other parents or children cost one pass over
 * everything. The same on the server and on a device. Knows no clock and no expressions: what those say is handed in.
 */
import { childIdsOf, type ChildIds } from './child-ids.ts';
import { childrenFirst } from './circles.ts';
import type { Component, RolledUp } from './component.ts';
import { isSameJudged, judgeCircle, nothingReceived, receive } from './judge-circle.ts';
import type { Judged, Received, VerdictOf } from './judge-circle.ts';

interface Node {
  component: Component;
  children: readonly number[];
  /** Those outside its circle that show it. */
  parents: number[];
  circle: number;
  received: Received;
  /** Null until it was worked out. */
  judged: Judged | null;
}

/** Components and how they stand to each other; circles in the order in which they are worked out. */
interface Graph {
  nodes: Node[];
  numberOf: ReadonlyMap<string, number>;
  circles: readonly (readonly number[])[];
}

function buildGraph(components: readonly Component[], childIds: ChildIds): Graph {
  const numberOf = new Map(components.map(({ id }, at) => [id, at]));
  const numbersOf = (ids: readonly string[]) => ids.flatMap((id) => numberOf.get(id) ?? []);
  const childrenOf = components.map(({ id }) => numbersOf(childIds.get(id) ?? []));
  const circles = childrenFirst(childrenOf);
  const nodes = components.map((component, at): Node => ({
    component,
    children: childrenOf[at] ?? [],
    parents: [],
    circle: 0,
    received: nothingReceived(),
    judged: null,
  }));
  for (const [circle, members] of circles.entries())
    for (const at of members) Object.assign(nodes[at] ?? {}, { circle });
  for (const [at, node] of nodes.entries())
    for (const child of node.children)
      if (nodes[child]?.circle !== node.circle) nodes[child]?.parents.push(at);
  return { nodes, numberOf, circles };
}

/** Works out the circles that are marked, and marks those above what came out different; answers the ids of those. */
function settle({ nodes, circles }: Graph, isDirty: Uint8Array, verdictOf: VerdictOf): Set<string> {
  const changed = new Set<string>();

  function give(node: Node, judged: Judged): void {
    for (const at of node.parents) {
      const parent = nodes[at];
      if (parent === undefined) continue;
      if (node.judged !== null) receive(parent.received, node.judged, -1);
      receive(parent.received, judged, 1);
      isDirty[parent.circle] = 1;
    }
    node.judged = judged;
    changed.add(node.component.id);
  }

  for (let circle = isDirty.indexOf(1); circle !== -1; circle = isDirty.indexOf(1, circle + 1)) {
    const members = (circles[circle] ?? []).flatMap((at) => nodes[at] ?? []);
    const judged = judgeCircle(members, verdictOf);
    for (const [place, node] of members.entries()) {
      const next = judged[place];
      if (next === undefined) continue;
      if (node.judged === null || !isSameJudged(node.judged, next)) give(node, next);
    }
  }
  return changed;
}

const isSamePlace = (a: Component, b: Component) =>
  a.parent_id === b.parent_id &&
  (a.children ?? []).length === (b.children ?? []).length &&
  (a.children ?? []).every((id, at) => b.children?.[at] === id);

/** What changed: rows as they are now, and the ids of those that are gone. */
export interface ComponentChanges {
  set?: readonly Component[];
  removed?: readonly string[];
}

/** The roll-up of components that may change. */
export interface LiveRollUp {
  get: (id: string) => RolledUp | undefined;
  /** Of all of them. */
  all: () => Map<string, RolledUp>;
  /** Takes changes in; answers the ids of those that come to something else now, are new, or are gone. */
  update: (changes: ComponentChanges) => Set<string>;
}

/** Rolls up these components, and follows what changes. `childIds` when it is known already. */
export function createLiveRollUp(
  components: readonly Component[],
  verdictOf: VerdictOf,
  childIds: ChildIds = childIdsOf(components),
): LiveRollUp {
  let graph = buildGraph(components, childIds);
  settle(graph, new Uint8Array(graph.circles.length).fill(1), verdictOf);

  const nodeOf = (id: string) => graph.nodes[graph.numberOf.get(id) ?? -1];

  /** Everything anew: somebody stands under another parent, came or went. */
  function rebuild({ set, removed }: Required<ComponentChanges>): Set<string> {
    const rows = new Map(graph.nodes.map(({ component }) => [component.id, component]));
    for (const id of removed) rows.delete(id);
    for (const row of set) rows.set(row.id, row);
    const before = new Map(graph.nodes.map(({ component, judged }) => [component.id, judged]));
    const all = [...rows.values()];
    graph = buildGraph(all, childIdsOf(all));
    settle(graph, new Uint8Array(graph.circles.length).fill(1), verdictOf);
    const isOther = ({ component, judged }: Node) => {
      const old = before.get(component.id) ?? null;
      return old === null || judged === null || !isSameJudged(old, judged);
    };
    const changed = graph.nodes.filter(isOther).map(({ component }) => component.id);
    return new Set([...changed, ...removed.filter((id) => before.has(id) && !rows.has(id))]);
  }

  return {
    get: (id) => nodeOf(id)?.judged?.rolled(),
    all: () =>
      new Map(
        graph.nodes.flatMap(({ component, judged }) =>
          judged === null ? [] : [[component.id, judged.rolled()] as const],
        ),
      ),
    update: ({ set = [], removed = [] }) => {
      const isElsewhere = (row: Component) => {
        const old = nodeOf(row.id);
        return old === undefined || !isSamePlace(old.component, row);
      };
      if (removed.some((id) => graph.numberOf.has(id)) || set.some(isElsewhere))
        return rebuild({ set, removed });
      const isDirty = new Uint8Array(graph.circles.length);
      for (const row of set) {
        const node = nodeOf(row.id);
        if (node === undefined) continue;
        node.component = row;
        isDirty[node.circle] = 1;
      }
      return settle(graph, isDirty, verdictOf);
    },
  };
}
