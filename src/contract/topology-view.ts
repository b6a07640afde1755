/**
 * The topology as it crosses between the UI and the compute worker: one query about the components of this device,
 * answered by a frame and a window of cards; and one component with what its page says of it.
 */
import type { output } from 'zod/v4/core';
import type { HealthCounts, HealthState } from '../domain/check/health.ts';
import type { Counts, CountsByType } from '../domain/topology/component.ts';
import type { ComponentProperty } from '../domain/topology/property.ts';
import type { ValueCount } from './catalog-view.ts';
import type { topologyQuerySchema } from './queries/live-arguments.ts';

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
  updatedAt: string | null;
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
  /** What the filters offer, over all components of this device. */
  types: ValueCount[];
  statuses: ValueCount[];
  teams: ValueCount[];
  agents: ValueCount[];
  /** `key=value`. */
  labels: ValueCount[];
  /** Headline properties, by which cards can be put in order. */
  headlines: string[];
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
  /** Checks and catalog items that are linked to it. */
  checkIds: readonly string[];
  configIds: readonly string[];
  logs: readonly string[];
  costs: Readonly<Record<'minute' | 'day' | 'week' | 'month', number>>;
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
