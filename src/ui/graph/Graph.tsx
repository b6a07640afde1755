/**
 * A picture of things that hang together on React Flow: it shows what the compute worker laid out, and owns where one looks
 * and which card has the focus. One card is a tab stop; arrow keys move along the lines to the next.
 */
import '@xyflow/react/dist/base.css';
import { IconFocusCentered, IconMinus, IconPlus, IconZoomScan } from '@tabler/icons-react';
import { MiniMap, Panel, ReactFlow, ReactFlowProvider, useReactFlow, type Edge } from '@xyflow/react';
import { useMemo } from 'react';
import type { HealthState } from '../../domain/check/health.ts';
import { IconButton } from '../actions/Button.tsx';
import { PHONE, useMedia } from '../hooks/use-media.ts';
import { messages as words } from './messages.ts';
import { FlowContext, FLOW_NODES, type FlowNode } from './GraphCards.tsx';
import { flowNodesOf } from './flow-nodes.ts';
import classes from './Graph.module.css';
import type { EdgeStyle, GraphPicture } from './graph-picture.ts';
import { useGraphFocus } from './use-graph-focus.ts';
import { MAX_ZOOM, MIN_ZOOM } from './graph-viewport.ts';
import { useGraphView } from './use-graph-view.ts';

const MOVE_MS = 200;
/** Fewer fit the screen, where an overview would only cover them. */
const MINI_MAP_FROM = 40;

interface GraphProps {
  /** What it is a picture of, and which keys do what. */
  label: string;
  picture: GraphPicture;
  rootId: string;
  healthWords: Readonly<Record<HealthState, string>>;
  edgeStyle: EdgeStyle;
  /** Opens what is closed of these groups, and the other way round. */
  onToggle: (groupIds: readonly string[]) => void;
}

const COLOR: Readonly<Record<HealthState, string>> = {
  healthy: 'var(--line-strong)',
  unhealthy: 'var(--unhealthy)',
  warning: 'var(--warning)',
  unknown: 'var(--line-strong)',
};

function colorOf({ data: { node } }: FlowNode): string {
  if (node.kind === 'item') return COLOR[node.state];
  if (node.health.unhealthy > 0) return COLOR.unhealthy;
  return node.health.warning > 0 ? COLOR.warning : COLOR.healthy;
}

function edgesOf({ nodes, edges }: GraphPicture, style: EdgeStyle): Edge[] {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  return edges.map(({ from, to, look }) => ({
    id: `${from}>${to}`,
    source: from,
    target: to,
    type: style === 'bezier' ? 'default' : 'smoothstep',
    markerEnd: { type: 'arrowclosed' as const },
    className: classes[look] ?? '',
    ariaRole: 'img',
    ariaLabel: words.edge(names.get(from) ?? '', names.get(to) ?? ''),
  }));
}

function Controls({ onFit, onHome }: { onFit: () => void; onHome: () => void }) {
  const flow = useReactFlow();
  const duration = { duration: MOVE_MS };
  return (
    <Panel position="bottom-left" className={classes.controls} role="group" aria-label={words.controls}>
      <IconButton label={words.zoomIn} look="outline" onClick={() => void flow.zoomIn(duration)}>
        <IconPlus size={18} />
      </IconButton>
      <IconButton label={words.zoomOut} look="outline" onClick={() => void flow.zoomOut(duration)}>
        <IconMinus size={18} />
      </IconButton>
      <IconButton label={words.fit} look="outline" onClick={onFit}>
        <IconZoomScan size={18} />
      </IconButton>
      <IconButton label={words.home} look="outline" onClick={onHome}>
        <IconFocusCentered size={18} />
      </IconButton>
    </Panel>
  );
}

function Flow({ label, picture, rootId, healthWords, edgeStyle, onToggle }: GraphProps) {
  const isPhone = useMedia(PHONE);
  const view = useGraphView(picture, rootId);
  const focus = useGraphFocus(picture, { rootId, reveal: view.reveal });
  const nodes = useMemo(() => flowNodesOf(picture), [picture]);
  const edges = useMemo(() => edgesOf(picture, edgeStyle), [picture, edgeStyle]);
  const { anchor } = view;
  const context = useMemo(
    () => ({
      rootId,
      healthWords,
      ...focus,
      toggle: (id: string, groupIds: readonly string[]) => {
        anchor(id);
        onToggle(groupIds);
      },
    }),
    [rootId, healthWords, focus, anchor, onToggle],
  );
  return (
    <FlowContext value={context}>
      <section
        className={classes.graph}
        aria-label={label}
        data-testid="relationship-graph"
        data-nodes={picture.nodes.length}
        data-direction={picture.direction}
      >
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={FLOW_NODES}
          onlyRenderVisibleElements
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          minZoom={MIN_ZOOM}
          maxZoom={MAX_ZOOM}
          defaultMarkerColor={null}
          proOptions={{ hideAttribution: true }}
          onInit={view.start}
        >
          <Controls onFit={view.fit} onHome={() => focus.moveTo(rootId)} />
          {!isPhone && picture.nodes.length > MINI_MAP_FROM && (
            <MiniMap<FlowNode>
              pannable
              zoomable
              ariaLabel={words.miniMap}
              nodeColor={colorOf}
              maskColor="color-mix(in srgb, var(--surface-2) 70%, transparent)"
              bgColor="var(--surface)"
            />
          )}
        </ReactFlow>
      </section>
    </FlowContext>
  );
}

/** Import it with `lazy`: React Flow is large. */
export function Graph(props: GraphProps) {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}
