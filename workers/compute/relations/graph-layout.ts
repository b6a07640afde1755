/**
 * Where the nodes of a picture stand (contract §19.5): layers by dagre with the tight-tree ranker, which alone of
 * its rankers stays usable at these sizes (design §9). The library is loaded when the first graph is looked at:
 * this worker starts with the page.
 */
import type { GraphDirection } from '../../../src/contract/relations.ts';
import { graphSizes } from '../../../src/domain/graph-sizes.ts';

export interface Place {
  x: number;
  y: number;
}

interface LayoutInput {
  nodes: readonly { id: string; isGroup: boolean }[];
  edges: readonly { from: string; to: string }[];
  direction: GraphDirection;
  /** For a hand-held screen. */
  isNarrow?: boolean;
}

export type Layout = (input: LayoutInput) => Map<string, Place>;

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
    const { item, group, layerGap, cardGap } = graphSizes(input.isNarrow ?? false);
    graph.setGraph({ rankdir: input.direction, ranksep: layerGap, nodesep: cardGap, ranker: 'tight-tree' });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const { id, isGroup } of input.nodes) graph.setNode(id, { ...(isGroup ? group : item) });
    const edges = steering(input);
    for (const { from, to } of edges) graph.setEdge(from, to);
    // In a tree no lines cross as it is; looking for a better order would cost half of the time.
    layout(graph, { disableOptimalOrderHeuristic: edges.length < input.nodes.length });
    return new Map(
      input.nodes.map(({ id, isGroup }) => {
        const { width, height } = isGroup ? group : item;
        const { x = 0, y = 0 } = graph.node(id) as Partial<Place>;
        return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }];
      }),
    );
  };
}
