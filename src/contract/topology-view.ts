/**
 * The topology as it crosses between the UI and the compute worker: one query about the components of this device,
 * answered by a frame and a window of cards; and one component with what its page says of it.
 */
import type { output } from 'zod/v4/core';
import type { HealthCounts, HealthState } from '../domain/check/health.ts';
import type { Counts, CountsByType } from '../domain/topology/component.ts';
import type { ComponentProperty } from '../domain/topology/property.ts';
import type { ValueCount } from './catalog-view.ts';
import type {
  componentPictureSchema,
  outlineQuerySchema,
  topologyQuerySchema,
} from './queries/live-arguments.ts';
import type { GraphDirection, PictureEdge } from './relations.ts';

export type TopologyQuery = output<typeof topologyQuerySchema>;

/** A component as a line: its name and how it is. */
export interface ComponentLine {
  id: string;
  name: string;
  type: string | null;
  icon: string | null;
  state: HealthState;
}

/** What the components under one add up to (schema §6.5), its own included. */
export interface CardSummary {
  /** The leaves under it; itself where there is none. */
  health: HealthCounts;
  checks: Counts;
  /** By type, then by severity. */
  incidents: CountsByType;
  insights: CountsByType;
}

export interface TopologyCard extends ComponentLine {
  key: string;
  /** What its topology calls it besides; null where that is its name. */
  text: string | null;
  namespace: string | null;
  /** What its status says besides its health. */
  status: string | null;
  reason: string | null;
  isHidden: boolean;
  /** Those that are shown; headlines first, the others in their order. */
  properties: readonly ComponentProperty[];
  /** How many more there are. */
  moreProperties: number;
  summary: CardSummary;
  /** Those right under it, by how each of them is with its own parts. */
  parts: HealthCounts;
  /** Some of them, worst first. */
  children: readonly ComponentLine[];
  childCount: number;
  /** It has log selectors. */
  hasLogs: boolean;
  updatedAt: string | null;
}

/** What filters and orders offer, over all components of this device. */
export interface TopologyFacets {
  types: ValueCount[];
  statuses: ValueCount[];
  teams: ValueCount[];
  agents: ValueCount[];
  /** `key=value`. */
  labels: ValueCount[];
  /** Headline properties, by which cards can be put in order. */
  headlines: string[];
}

/** Everything around the cards. */
export interface TopologyFrame {
  /** False until the components were read: "empty" and "not loaded yet" look different. */
  isLoaded: boolean;
  rowCount: number;
  /** Components of this device, whatever is asked. */
  totalCount: number;
  /** The cards that pass, by health. */
  health: HealthCounts;
  facets: TopologyFacets;
}

/** A difference to what was sent before: only the parts that changed. */
export interface TopologyPatch {
  generation: number;
  frame?: TopologyFrame;
  rows?: { start: number; rows: TopologyCard[] };
}

/** A component as its page shows it. */
export interface ComponentFacts extends TopologyCard {
  /** All that are shown anywhere. */
  properties: readonly ComponentProperty[];
  description: string | null;
  owner: string | null;
  lifecycle: string | null;
  tooltip: string | null;
  externalId: string | null;
  labels: Readonly<Record<string, string>>;
  agentId: string | null;
  topologyId: string | null;
  /** The catalog item that it stands for. */
  configId: string | null;
  teams: readonly string[];
  /** Checks that are linked to it, worst first, and catalog items. */
  checkIds: readonly string[];
  configIds: readonly string[];
  logs: readonly string[];
  costs: Readonly<Record<'day' | 'week' | 'month', number>>;
  createdAt: string | null;
  /** From the top of the topology to the one it is in. */
  ancestors: readonly ComponentLine[];
  /** Components under which a selector put it. */
  alsoUnder: readonly ComponentLine[];
}

export interface ComponentView {
  /** False until the components were read. */
  isLoaded: boolean;
  /** Null when this device has no such component. */
  component: ComponentFacts | null;
}

/** A component with everything under it, as its counts are summed up. */
export interface ComponentReach {
  /** False until the components were read. */
  isLoaded: boolean;
  componentIds: readonly string[];
  /** Catalog items that are linked to any of them. */
  configIds: readonly string[];
}

export type OutlineQuery = output<typeof outlineQuerySchema>;

/** A line of the tree. */
export interface OutlineRow extends ComponentLine {
  /** The ids on the way here: a component may stand under several. */
  key: string;
  /** From 1. */
  level: number;
  /** Among those beside it, from 1. */
  position: number;
  setSize: number;
  childCount: number;
  /** Null when there is nothing to open. */
  isOpen: boolean | null;
  status: string | null;
}

export interface OutlineFrame {
  isLoaded: boolean;
  rowCount: number;
  /** Components of this device. */
  totalCount: number;
}

/** A difference to what was sent before: only the parts that changed. */
export interface OutlinePatch {
  generation: number;
  frame?: OutlineFrame;
  rows?: { start: number; rows: OutlineRow[] };
}

export type ComponentPictureQuery = output<typeof componentPictureSchema>;

interface Placed {
  id: string;
  x: number;
  y: number;
}

export interface ComponentPictureItem extends Placed {
  kind: 'item';
  line: ComponentLine;
  status: string | null;
  /** Whether it is a part of the component, something that belongs to it or that it depends on, or above it. */
  side: 'self' | 'outgoing' | 'related' | 'incoming';
  /** Its groups, which Space opens and closes. */
  groupIds: string[];
}

export interface ComponentPictureGroup extends Placed {
  kind: 'group';
  type: string;
  count: number;
  health: HealthCounts;
  isExpanded: boolean;
}

export type ComponentPictureNode = ComponentPictureItem | ComponentPictureGroup;

/** At most 500 nodes (design §9), laid out; dashed lines are of selectors. */
export interface ComponentPicture {
  direction: GraphDirection;
  /** Its places are for the small cards of a hand-held screen. */
  isNarrow: boolean;
  nodes: ComponentPictureNode[];
  edges: PictureEdge[];
  /** Components that are under it or above it. */
  total: number;
  /** As many of them can be seen. */
  shown: number;
  /** Left out because a picture has room for so many only. */
  cut: number;
}

export interface ComponentPicturePatch {
  generation: number;
  /** Null when this device has no such component. */
  picture: ComponentPicture | null;
}
