/** What narrows the relationships, and how they are looked at. */
import {
  IconArrowDown,
  IconArrowRight,
  IconBinaryTree2,
  IconTable,
  IconVectorBezier2,
  IconX,
} from '@tabler/icons-react';
import { IconRouteSquare } from '@tabler/icons-react';
import type { GraphDirection, RelationsFrame } from '../../../contract/relations.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { Segmented } from '../../../ui/actions/Segmented.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Switch } from '../../../ui/fields/Switch.tsx';
import { TriStateFilter } from '../../../ui/fields/TriStateFilter.tsx';
import { FoldingFilters } from '../../../ui/fields/FoldingFilters.tsx';
import type { EdgeStyle } from '../../../ui/graph/graph-picture.ts';
import { messages } from './messages.ts';
import classes from './Relationships.module.css';
import { choiceCount, filterCount, MAX_DEPTH, withIncoming, type RelationsState } from './url-state.ts';

export type RelationsView = 'Table' | 'Graph';

/** What this device remembers of how relationships are looked at. */
export interface RelationsLook {
  view: RelationsView;
  direction: GraphDirection;
  edgeStyle: EdgeStyle;
  hidesDeleted: boolean;
  setView: (view: RelationsView) => void;
  setDirection: (direction: GraphDirection) => void;
  setEdgeStyle: (style: EdgeStyle) => void;
  setHidesDeleted: (hides: boolean) => void;
}

interface ToolbarProps {
  state: RelationsState;
  onState: (state: RelationsState) => void;
  look: RelationsLook;
  facets: RelationsFrame['facets'];
}

const words = messages.filters;
const DEPTHS = Array.from({ length: MAX_DEPTH }, (_, at) => String(at + 1)).map((depth) => ({
  value: depth,
  label: depth,
}));
const ICON = 16;

const valuesOf = (facet: readonly { value: string }[]) => facet.map(({ value }) => value);

function Filters({ state, onState, facets }: Omit<ToolbarProps, 'look'>) {
  const { tag } = state;
  return (
    <>
      <TriStateFilter
        label={words.types}
        options={valuesOf(facets.types)}
        value={state.types}
        onChange={(types) => onState({ ...state, types })}
      />
      <TriStateFilter
        label={words.labels}
        options={valuesOf(facets.labels)}
        value={state.labels}
        onChange={(labels) => onState({ ...state, labels })}
      />
      <TriStateFilter
        label={words.statuses}
        options={valuesOf(facets.statuses)}
        value={state.statuses}
        onChange={(statuses) => onState({ ...state, statuses })}
      />
      <TriStateFilter
        label={words.healths}
        options={valuesOf(facets.healths)}
        value={state.healths}
        onChange={(healths) => onState({ ...state, healths })}
      />
      {tag !== null && (
        <Button
          aria-label={words.clearTag(tag.key, tag.value)}
          onClick={() => onState({ ...state, tag: null })}
        >
          {tag.key}: {tag.value}
          <IconX size={14} aria-hidden />
        </Button>
      )}
      {filterCount(state) > 0 && (
        <Button
          look="quiet"
          onClick={() => onState({ ...state, types: {}, labels: {}, statuses: {}, healths: {}, tag: null })}
        >
          {messages.clearFilters}
        </Button>
      )}
    </>
  );
}

function GraphLook({ look }: { look: RelationsLook }) {
  return (
    <>
      <Segmented
        label={messages.direction.label}
        value={look.direction}
        options={[
          { value: 'LR', label: messages.direction.LR, icon: <IconArrowRight size={ICON} /> },
          { value: 'TB', label: messages.direction.TB, icon: <IconArrowDown size={ICON} /> },
        ]}
        onChange={look.setDirection}
      />
      <Segmented
        label={messages.edges.label}
        value={look.edgeStyle}
        options={[
          { value: 'bezier', label: messages.edges.bezier, icon: <IconVectorBezier2 size={ICON} /> },
          { value: 'smoothstep', label: messages.edges.smoothstep, icon: <IconRouteSquare size={ICON} /> },
        ]}
        onChange={look.setEdgeStyle}
      />
    </>
  );
}

/** `state` is in the link, `look` on the device; `facets` is what may be chosen. */
export function RelationsToolbar({ state, onState, look, facets }: ToolbarProps) {
  return (
    <div className={classes.toolbar} role="group" aria-label={words.region}>
      <Segmented
        label={messages.view.label}
        value={look.view}
        options={[
          { value: 'Table', label: messages.view.Table, icon: <IconTable size={ICON} /> },
          { value: 'Graph', label: messages.view.Graph, icon: <IconBinaryTree2 size={ICON} /> },
        ]}
        onChange={look.setView}
      />
      <FoldingFilters active={choiceCount(state)}>
        <Switch
          label={words.incoming}
          isOn={state.isIncoming}
          onChange={(isOn) => onState(withIncoming(state, isOn))}
        />
        <Switch
          label={words.outgoing}
          isOn={state.isOutgoing}
          lockedBy={state.isIncoming ? null : words.outgoingForced}
          onChange={(isOutgoing) => onState({ ...state, isOutgoing })}
        />
        <SelectField
          label={words.relationship}
          value={state.isSoft ? 'soft' : 'hard'}
          options={[
            { value: 'hard', label: words.hard },
            { value: 'soft', label: words.soft },
          ]}
          onChange={(value) => onState({ ...state, isSoft: value === 'soft' })}
        />
        <SelectField
          label={words.depth}
          value={String(state.depth)}
          options={DEPTHS}
          onChange={(depth) => onState({ ...state, depth: Number(depth) })}
        />
        <Filters state={state} onState={onState} facets={facets} />
        <Switch label={words.hideDeleted} isOn={look.hidesDeleted} onChange={look.setHidesDeleted} />
        {look.view === 'Graph' && <GraphLook look={look} />}
      </FoldingFilters>
    </div>
  );
}
