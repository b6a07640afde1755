/**
 * Where the nodes of a picture stand (contract §19.5): layers by dagre with the tight-tree ranker, which alone of
 * its rankers stays usable at these sizes (design §9). The library is loaded when the first graph is looked at:
 * this worker starts with the page.
 */
import type { GraphDirection } from '../../../src/contract/relations.ts';

export interface Place {
  x: number;
  y: number;
}

interface LayoutInput {
  nodes: readonly { id: string; isGroup: boolean }[];
  edges: readonly { from: string; to: string }[];
  direction: GraphDirection;
}

export type Layout = (input: LayoutInput) => Map<string, Place>;

/** The page draws its cards in these sizes. */
const ITEM = { width: 240, height: 72 };
const GROUP = { width: 200, height: 56 };
const RANK_SEP = 120;
const NODE_SEP = 100;
/** Lines beyond this many steer the layout no more: each over several layers costs a node in each of them. */
const MAX_EDGES_PER_NODE = 2;

/** The lines that reach each node first, then as many others as there is room for. */
function steering({ nodes, edges }: LayoutInput): readonly { from: string; to: string }[] {
  const room = nodes.length * MAX_EDGES_PER_NODE;
  if (edges.length <= room) return edges;
  const reached = new Set<string>();
  const [first, others]: [{ from: string; to: string }[], { from: string; to: string }[]] = [[], []];
  for (const edge of edges) {
    (reached.has(edge.to) ? others : first).push(edge);
    reached.add(edge.to);
  }
  return [...first, ...others].slice(0, room);
}

/** Loads the layout. */
export async function loadLayout(): Promise<Layout> {
  const { Graph, layout } = await import('@dagrejs/dagre');
  return (input) => {
    const graph = new Graph({ directed: true });
    graph.setGraph({ rankdir: input.direction, ranksep: RANK_SEP, nodesep: NODE_SEP, ranker: 'tight-tree' });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const { id, isGroup } of input.nodes) graph.setNode(id, { ...(isGroup ? GROUP : ITEM) });
    const edges = steering(input);
    for (const { from, to } of edges) graph.setEdge(from, to);
    // In a tree no lines cross as it is; looking for a better order would cost half of the time.
    layout(graph, { disableOptimalOrderHeuristic: edges.length < input.nodes.length });
    return new Map(
      input.nodes.map(({ id, isGroup }) => {
        const { width, height } = isGroup ? GROUP : ITEM;
        const { x = 0, y = 0 } = graph.node(id) as Partial<Place>;
        return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }];
      }),
    );
  };
}
