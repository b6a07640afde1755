/** The picture of a component as the compute worker laid it out. Import it with `lazy`: React Flow is large. */
import { useMemo } from 'react';
import type { ComponentPicture, ComponentPictureNode } from '../../../contract/topology-view.ts';
import { Graph } from '../../../ui/graph/Graph.tsx';
import type { EdgeStyle, GraphNode, GraphPicture } from '../../../ui/graph/graph-picture.ts';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { ThingIcon } from '../../../ui/marks/ThingIcon.tsx';
import { messages } from '../messages.ts';

const words = messages.graph;

interface ComponentGraphProps {
  picture: ComponentPicture;
  rootId: string;
  name: string;
  edgeStyle: EdgeStyle;
  hrefOf: (id: string) => string;
  /** Opens what is closed of these groups, and the other way round. */
  onToggle: (groupIds: readonly string[]) => void;
}

function nodeOf(node: ComponentPictureNode, hrefOf: (id: string) => string): GraphNode {
  const { id, x, y } = node;
  if (node.kind === 'group') {
    const { type, count, health, isExpanded } = node;
    const icon = <ThingIcon icon={null} type={type} />;
    return {
      kind: 'group',
      id,
      x,
      y,
      name: words.members(type, count),
      title: type,
      icon,
      health,
      isExpanded,
    };
  }
  const { line, status, side, groupIds } = node;
  return {
    kind: 'item',
    id,
    x,
    y,
    name: line.name,
    type: line.type ?? '',
    icon: <ThingIcon icon={line.icon} type={line.type} />,
    href: hrefOf(id),
    state: line.state,
    mark: <SilencedMark kind="component" id={id} />,
    fact: status ?? messages.health[line.state],
    gone: null,
    side: words.sides[side],
    groupIds,
  };
}

/** See the head of this file. */
export function ComponentGraph({ picture, rootId, name, edgeStyle, hrefOf, onToggle }: ComponentGraphProps) {
  const shown = useMemo<GraphPicture>(
    () => ({
      direction: picture.direction,
      isNarrow: picture.isNarrow,
      nodes: picture.nodes.map((node) => nodeOf(node, hrefOf)),
      edges: picture.edges,
    }),
    [picture, hrefOf],
  );
  return (
    <Graph
      label={words.label(name)}
      picture={shown}
      rootId={rootId}
      healthWords={messages.health}
      edgeStyle={edgeStyle}
      onToggle={onToggle}
    />
  );
}
