/** What a graph shows: cards that were laid out, and the lines between them. */
import type { ReactNode } from 'react';
import type { HealthCounts, HealthState } from '../../domain/check/health.ts';

interface Placed {
  id: string;
  x: number;
  y: number;
}

export interface GraphItem extends Placed {
  kind: 'item';
  name: string;
  type: string;
  icon: ReactNode;
  href: string;
  state: HealthState;
  /** What else it is, such as silent. */
  mark: ReactNode;
  /** What stands beside the mark of its health. */
  fact: string;
  /** That it is gone, in words; null for what is there. */
  gone: string | null;
  /** Spoken besides: how it stands to the one that is looked at. */
  side: string;
  /** Its groups, which Space opens and closes. */
  groupIds: readonly string[];
}

export interface GraphGroup extends Placed {
  kind: 'group';
  name: string;
  /** In full. */
  title: string;
  icon: ReactNode;
  health: HealthCounts;
  isExpanded: boolean;
}

export type GraphNode = GraphItem | GraphGroup;

export interface GraphEdge {
  from: string;
  to: string;
  look: 'hard' | 'soft' | 'through';
}

export interface GraphPicture {
  /** Left to right, or top to bottom. */
  direction: 'LR' | 'TB';
  /** It was laid out for the small cards of a hand-held screen. */
  isNarrow: boolean;
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
}

export type EdgeStyle = 'bezier' | 'smoothstep';
