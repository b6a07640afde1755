/** The laid-out picture as React Flow wants it: sizes and handles are known, so that nothing is measured. */
import { Position } from '@xyflow/react';
import { graphSizes } from '../../domain/graph-sizes.ts';
import type { GraphNode, GraphPicture } from './graph-picture.ts';
import type { FlowNode } from './GraphCards.tsx';

/** In the picture's own units, as the layout took them. */
export function sizeOf(
  { kind }: Pick<GraphNode, 'kind'>,
  { isNarrow }: Pick<GraphPicture, 'isNarrow'>,
): { width: number; height: number } {
  return graphSizes(isNarrow)[kind];
}

/** Lines begin and end at the sides that the direction of the layout has. */
export function flowNodesOf(picture: GraphPicture): FlowNode[] {
  const { nodes, direction } = picture;
  return nodes.map((node) => {
    const { width, height } = sizeOf(node, picture);
    const isAcross = direction === 'LR';
    const ends = isAcross
      ? { in: { x: 0, y: height / 2 }, out: { x: width, y: height / 2 } }
      : { in: { x: width / 2, y: 0 }, out: { x: width / 2, y: height } };
    const [from, to] = isAcross ? [Position.Left, Position.Right] : [Position.Top, Position.Bottom];
    return {
      id: node.id,
      // React Flow styles a type of its own called `group`.
      type: node.kind === 'item' ? 'graphItem' : 'graphGroup',
      position: { x: node.x, y: node.y },
      width,
      height,
      data: { node },
      // A card that can be neither dragged nor selected would let presses through to the pane.
      style: { pointerEvents: 'all' as const },
      handles: [
        { type: 'target' as const, position: from, ...ends.in, width: 1, height: 1 },
        { type: 'source' as const, position: to, ...ends.out, width: 1, height: 1 },
      ],
      sourcePosition: to,
      targetPosition: from,
    };
  });
}
