/** The picture of related items, as the compute worker laid it out. Import it with `lazy`: React Flow is large. */
import { useMemo } from 'react';
import type { PictureNode, RelationsPicture } from '../../../contract/relations.ts';
import { healthOfWord } from '../../../domain/check/health.ts';
import { links } from '../../../domain/links.ts';
import { Graph } from '../../../ui/graph/Graph.tsx';
import type { EdgeStyle, GraphNode, GraphPicture } from '../../../ui/graph/graph-picture.ts';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { ConfigIcon } from '../../../ui/marks/ConfigIcon.tsx';
import { messages } from './messages.ts';

const words = messages.graph;

interface RelationsGraphProps {
  picture: RelationsPicture;
  rootId: string;
  edgeStyle: EdgeStyle;
  /** Opens what is closed of these groups, and the other way round. */
  onToggle: (groupIds: readonly string[]) => void;
}

function nodeOf(node: PictureNode): GraphNode {
  const { id, x, y } = node;
  if (node.kind === 'group') {
    const { type, health, isExpanded } = node;
    const icon = <ConfigIcon type={type} />;
    return { kind: 'group', id, x, y, name: words.members(node), title: type, icon, health, isExpanded };
  }
  const { row, groupIds } = node;
  const state = healthOfWord(row.health);
  return {
    kind: 'item',
    id,
    x,
    y,
    name: row.name,
    type: row.type,
    icon: <ConfigIcon type={row.type} />,
    href: links.config(row.id),
    state,
    mark: <SilencedMark kind="config" id={row.id} />,
    fact: row.status ?? row.health ?? messages.health[state],
    gone: row.deletedAt === null ? null : messages.deleted,
    side: messages.sides[row.side],
    groupIds,
  };
}

/** See the head of this file. */
export function RelationsGraph({ picture, rootId, edgeStyle, onToggle }: RelationsGraphProps) {
  const shown = useMemo<GraphPicture>(
    () => ({
      direction: picture.direction,
      isNarrow: false,
      nodes: picture.nodes.map(nodeOf),
      edges: picture.edges,
    }),
    [picture],
  );
  const root = picture.nodes.find((node) => node.id === rootId);
  return (
    <Graph
      label={words.label(root?.kind === 'item' ? root.row.name : '')}
      picture={shown}
      rootId={rootId}
      healthWords={messages.health}
      edgeStyle={edgeStyle}
      onToggle={onToggle}
    />
  );
}
