/** Which card an arrow key leads to: along a line where there is one that way, else to the nearest card there. */
import type { GraphNode, GraphPicture } from './graph-picture.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

const DIRECTIONS = lookupTable<{ x: number; y: number }>({
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
});
/** What lies aside counts this much more than what lies ahead. */
const ASIDE = 2;

function nearest(
  from: GraphNode,
  direction: { x: number; y: number },
  nodes: readonly GraphNode[],
): GraphNode | null {
  let [best, least]: [GraphNode | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const node of nodes) {
    const [dx, dy] = [node.x - from.x, node.y - from.y];
    const ahead = dx * direction.x + dy * direction.y;
    if (node.id === from.id || ahead <= 0) continue;
    const distance = ahead + ASIDE * Math.abs(dx * direction.y - dy * direction.x);
    if (distance < least) [best, least] = [node, distance];
  }
  return best;
}

/** The card that the key leads to from a card; null for another key, or where nothing lies that way. */
export function neighbourOf({ nodes, edges }: GraphPicture, id: string, key: string): string | null {
  const direction = DIRECTIONS[key];
  const from = nodes.find((node) => node.id === id);
  if (direction === undefined || from === undefined) return null;
  const linked = new Set(
    edges.flatMap((edge) => (edge.from === id ? edge.to : edge.to === id ? edge.from : [])),
  );
  const along = nearest(
    from,
    direction,
    nodes.filter((node) => linked.has(node.id)),
  );
  return (along ?? nearest(from, direction, nodes))?.id ?? null;
}
