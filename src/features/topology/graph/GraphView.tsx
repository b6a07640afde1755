/** A component's graph with its tools; how it is drawn is remembered with that of relationships (contract §19.14). */
import { IconBinaryTree2 } from '@tabler/icons-react';
import { Suspense, useCallback, useState } from 'react';
import type { ComponentFacts, ComponentPicture } from '../../../contract/topology-view.ts';
import { useComponentPicture } from '../../../data/queries/topology/use-topology.ts';
import { Segmented } from '../../../ui/actions/Segmented.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { PHONE, useMedia } from '../../../ui/hooks/use-media.ts';
import { useStoredChoice } from '../../../ui/hooks/use-stored-choice.ts';
import { lazyPart } from '../../../ui/page/lazy-part.tsx';
import { messages } from '../messages.ts';
import classes from './graph-view.module.css';

const words = messages.graph;
const ComponentGraph = lazyPart(async () => (await import('./ComponentGraph.tsx')).ComponentGraph);

const hasClosed = ({ nodes }: ComponentPicture) =>
  nodes.some((node) => node.kind === 'group' && !node.isExpanded);

function Counts({ picture }: { picture: ComponentPicture }) {
  return (
    <p className={classes.counts} role="status">
      {words.shown(picture.shown, picture.total)}
      {hasClosed(picture) && <span> · {words.closed}</span>}
      {picture.cut > 0 && <span> · {words.cut}</span>}
    </p>
  );
}

interface GraphViewProps {
  component: ComponentFacts;
  hrefOf: (id: string) => string;
}

/** See the head of this file. */
export function GraphView({ component, hrefOf }: GraphViewProps) {
  const [direction, setDirection] = useStoredChoice('graphDirection', ['LR', 'TB']);
  const [edgeStyle, setEdgeStyle] = useStoredChoice('graphEdgeStyle', ['bezier', 'smoothstep']);
  const [toggled, setToggled] = useState<readonly string[]>([]);
  const isNarrow = useMedia(PHONE);
  const { picture } = useComponentPicture({
    componentId: component.id,
    direction,
    isNarrow,
    toggled: [...toggled],
  });
  const toggle = useCallback(
    (ids: readonly string[]) =>
      setToggled((before) => [
        ...before.filter((id) => !ids.includes(id)),
        ...ids.filter((id) => !before.includes(id)),
      ]),
    [],
  );
  const drawing = <p className={classes.counts}>{words.drawing}</p>;
  if (picture === null) return drawing;
  if (picture.total === 0)
    return (
      <StateNote title={words.alone.title} icon={<IconBinaryTree2 size={32} stroke={1.3} />}>
        <p>{words.alone.hint}</p>
      </StateNote>
    );
  return (
    <>
      <div className={classes.tools}>
        <Counts picture={picture} />
        <Segmented
          label={words.direction.label}
          value={direction}
          options={(['LR', 'TB'] as const).map((value) => ({ value, label: words.direction[value] }))}
          onChange={setDirection}
        />
        <Segmented
          label={words.edges.label}
          value={edgeStyle}
          options={(['bezier', 'smoothstep'] as const).map((value) => ({ value, label: words.edges[value] }))}
          onChange={setEdgeStyle}
        />
      </div>
      <div className={classes.canvas}>
        <Suspense fallback={drawing}>
          <ComponentGraph
            picture={picture}
            rootId={component.id}
            name={component.name}
            edgeStyle={edgeStyle}
            hrefOf={hrefOf}
            onToggle={toggle}
          />
        </Suspense>
      </div>
    </>
  );
}
