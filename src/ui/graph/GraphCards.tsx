/** The cards of the graph: an item, which leads to its page, and a group, which opens and closes. */
import { formatCount } from '../../domain/format-count.ts';
import { IconChevronDown, IconChevronRight, IconTrash } from '@tabler/icons-react';
import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import type { KeyboardEvent, ReactNode } from 'react';
import { createContext, useContext, useEffect, useRef } from 'react';
import type { HealthState } from '../../domain/check/health.ts';
import { AppLink } from '../actions/AppLink.tsx';
import { HealthMark } from '../marks/HealthMark.tsx';
import classes from './Graph.module.css';
import type { GraphGroup, GraphItem, GraphNode } from './graph-picture.ts';

export type FlowNode = Node<{ node: GraphNode }>;

interface FlowPower {
  rootId: string;
  /** What states are called. */
  healthWords: Readonly<Record<HealthState, string>>;
  /** The card that is the tab stop. */
  focusId: string;
  /** Rises whenever the keyboard moved: that card takes the focus. */
  moves: number;
  noteFocus: (id: string) => void;
  /** Moves along a line, or to the nearest card in that direction. */
  moveFrom: (id: string, key: string) => boolean;
  toggle: (id: string, groupIds: readonly string[]) => void;
}

export const FlowContext = createContext<FlowPower | null>(null);

function usePower(): FlowPower {
  const power = useContext(FlowContext);
  if (power === null) throw new Error('Only drawn within the graph');
  return power;
}

const STATES: readonly HealthState[] = ['unhealthy', 'warning', 'unknown', 'healthy'];

interface CardProps {
  node: GraphNode;
  groupIds: readonly string[];
  look: string;
  state: HealthState;
  /** Where lines come in and go out: they follow the direction of the picture. */
  ends: Ends;
  children: ReactNode;
}
type Ends = Pick<NodeProps, 'sourcePosition' | 'targetPosition'>;

/** What both kinds of card share: the ends of lines, the focus, the keys. */
function Card({ node, groupIds, look, state, ends, children }: CardProps) {
  const { focusId, moves, noteFocus, moveFrom, toggle, rootId } = usePower();
  const card = useRef<HTMLDivElement>(null);
  const hasFocus = focusId === node.id;
  useEffect(() => {
    if (moves === 0 || !hasFocus) return;
    card.current?.querySelector<HTMLElement>('[data-card]')?.focus({ preventScroll: true });
  }, [moves, hasFocus]);
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === ' ' && groupIds.length > 0) toggle(node.id, groupIds);
    else if (event.key !== ' ' && !moveFrom(node.id, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={card}
      className={`${classes.card} ${look}`}
      data-health={state}
      data-root={node.id === rootId ? '' : undefined}
      onKeyDown={handleKey}
      onFocus={() => noteFocus(node.id)}
    >
      <Handle
        type="target"
        position={ends.targetPosition ?? Position.Left}
        className={classes.end}
        isConnectable={false}
      />
      {children}
      <Handle
        type="source"
        position={ends.sourcePosition ?? Position.Right}
        className={classes.end}
        isConnectable={false}
      />
    </div>
  );
}

function ItemCard({ data, ...ends }: NodeProps<Node<{ node: GraphItem }>>) {
  const { node } = data;
  const { focusId, healthWords } = usePower();
  const { state } = node;
  return (
    <Card node={node} groupIds={node.groupIds} look={classes.item ?? ''} state={state} ends={ends}>
      <AppLink
        href={node.href}
        className={classes.link}
        data-card={node.id}
        tabIndex={focusId === node.id ? 0 : -1}
        draggable={false}
        title={`${node.name}\n${node.type}`}
      >
        <span className={classes.icon}>{node.icon}</span>
        <span className={classes.text}>
          <span className={classes.cardName}>{node.name}</span>
          <span className={classes.cardType}>{node.type}</span>
          <span className={classes.facts}>
            <HealthMark state={state} size={11} />
            <span className="visually-hidden">{healthWords[state]},</span>
            <span>{node.fact}</span>
            {node.mark}
            {node.gone !== null && (
              <span className={classes.gone}>
                <IconTrash size={12} aria-hidden />
                {node.gone}
              </span>
            )}
            <span className="visually-hidden">, {node.side}</span>
          </span>
        </span>
      </AppLink>
    </Card>
  );
}

function GroupCard({ data, ...ends }: NodeProps<Node<{ node: GraphGroup }>>) {
  const { node } = data;
  const { toggle, focusId, healthWords } = usePower();
  const state = STATES.find((one) => node.health[one] > 0) ?? 'unknown';
  const Mark = node.isExpanded ? IconChevronDown : IconChevronRight;
  return (
    <Card node={node} groupIds={[node.id]} look={classes.group ?? ''} state={state} ends={ends}>
      <button
        type="button"
        className={classes.link}
        data-card={node.id}
        tabIndex={focusId === node.id ? 0 : -1}
        aria-expanded={node.isExpanded}
        title={node.title}
        onClick={() => toggle(node.id, [node.id])}
      >
        <span className={classes.icon}>{node.icon}</span>
        <span className={classes.text}>
          <span className={classes.cardName}>{node.name}</span>
          <span className={classes.facts}>
            {STATES.filter((one) => node.health[one] > 0).map((one) => (
              <span
                key={one}
                className={classes.tally}
                title={`${formatCount(node.health[one])} ${healthWords[one]}`}
              >
                <HealthMark state={one} size={11} />
                {formatCount(node.health[one])}
                <span className="visually-hidden">{healthWords[one]}</span>
              </span>
            ))}
          </span>
        </span>
        <Mark size={16} aria-hidden className={classes.chevron} />
      </button>
    </Card>
  );
}

export const FLOW_NODES = { graphItem: ItemCard, graphGroup: GroupCard };
