/**
 * What a config item is related to, as the page asks the compute worker (contract §6.3, §19.5): one query
 * with two faces, a window of table rows or a laid-out picture.
 */
import type { output } from 'zod/v4/core';
import type { HealthCounts } from '../domain/check/health.ts';
import type { relationsQuestionSchema } from './queries/live-arguments.ts';

export const RELATION_SORTS = ['tree', 'name', 'type', 'status', 'health', 'changes', 'depth'] as const;
export type RelationSort = (typeof RELATION_SORTS)[number];
export const GRAPH_DIRECTIONS = ['LR', 'TB'] as const;
export type GraphDirection = (typeof GRAPH_DIRECTIONS)[number];
/** How far a walk goes at most. */
export const MAX_RELATION_DEPTH = 10;

export type RelationsQuestion = output<typeof relationsQuestionSchema>;
/** The face that is looked at; the other costs nothing. */
export type RelationsFace = RelationsQuestion['face'];

/** Where an item was met: it is led to, or leads to the one that is looked at, or both. */
export type RelationSide = 'self' | 'outgoing' | 'incoming' | 'both';

export interface RelationRow {
  id: string;
  name: string;
  type: string;
  status: string | null;
  health: string | null;
  tags: Readonly<Record<string, string>>;
  /** Of the last days that this device keeps. */
  changes: number;
  deletedAt: string | null;
  depth: number;
  side: RelationSide;
}

/** A value that a filter offers, and how many items have it. */
export interface RelationFacet {
  value: string;
  count: number;
}

export interface RelationsFrame {
  /** False until the relations and items of this device were read. */
  isLoaded: boolean;
  /** The item itself is on this device. */
  isKnown: boolean;
  /** This device keeps as many relations as it may: there can be more. */
  isCut: boolean;
  /** Related items up to depth 10, before filters. */
  total: number;
  /** How many of them pass the filters and the depth. */
  passing: number;
  /** Rows of the table: those that pass, and the item itself where it passes, too. */
  rowCount: number;
  facets: {
    types: RelationFacet[];
    labels: RelationFacet[];
    statuses: RelationFacet[];
    healths: RelationFacet[];
  };
}

interface Placed {
  id: string;
  x: number;
  y: number;
}

export interface PictureItem extends Placed {
  kind: 'item';
  row: RelationRow;
  /** Its groups, which Space opens and closes. */
  groupIds: string[];
}

export interface PictureGroup extends Placed {
  kind: 'group';
  type: string;
  count: number;
  health: HealthCounts;
  isExpanded: boolean;
}

export type PictureNode = PictureItem | PictureGroup;

export interface PictureEdge {
  from: string;
  to: string;
  /** Dashed where it stands for a soft relation, dotted where items between are filtered out. */
  look: 'hard' | 'soft' | 'through';
}

/** At most 500 nodes (design §9), laid out. */
export interface RelationsPicture {
  direction: GraphDirection;
  nodes: PictureNode[];
  edges: PictureEdge[];
  /** Related items that can be seen in it. */
  shown: number;
  /** Items left out because a picture has room for so many only. */
  cut: number;
}

/** A difference to what was sent before: only the parts that changed. */
export interface RelationsPatch {
  /** How often the question had been set anew when this was answered: 0 is the one it was opened with. */
  generation: number;
  frame?: RelationsFrame;
  rows?: { start: number; rows: RelationRow[] };
  picture?: RelationsPicture;
}
