/**
 * The catalog's front as it crosses between the UI and the compute worker: one query about all items
 * of this device, answered by a frame and a window of rows.
 */
import type { output } from 'zod/v4/core';
import type { HealthCounts, HealthState } from '../domain/check/health.ts';
import type { catalogQuerySchema } from './queries/live-arguments.ts';
import type { LabelFacet } from './worker.ts';

/** The columns' names as links have them (contract §19.11); `count` is the summary's own. */
export const CATALOG_COLUMNS = [
  'name',
  'type',
  'health',
  'changes',
  'tags',
  'analysis',
  'cost_total_1d',
  'cost_total_7d',
  'cost_total_30d',
  'created_at',
  'updated_at',
  'deleted_at',
  'changed',
  'count',
] as const;
export type CatalogColumn = (typeof CATALOG_COLUMNS)[number];

/** For columns out of links and settings. */
export function isCatalogColumn(value: string): value is CatalogColumn {
  return (CATALOG_COLUMNS as readonly string[]).includes(value);
}

export type CatalogQuery = output<typeof catalogQuerySchema>;

/** What a group adds up to, and what an item has. */
interface CatalogNumbers {
  /** Of the last seven days. */
  changes: number;
  /** Open insights by type. */
  analysis: Readonly<Record<string, number>>;
  cost1d: number;
  cost7d: number;
  cost30d: number;
  createdAt: string | null;
  updatedAt: string | null;
}

export interface CatalogItemRow extends CatalogNumbers {
  kind: 'item';
  key: string;
  depth: number;
  name: string;
  type: string | null;
  status: string | null;
  health: HealthState;
  tags: Readonly<Record<string, string>>;
  deletedAt: string | null;
  /** When it last changed, of the changes that are here. */
  changedAt: string | null;
}

export interface CatalogGroupRow extends CatalogNumbers {
  kind: 'group';
  /** Made of the values on the way here; also its name in `closed`. */
  key: string;
  depth: number;
  by: string;
  /** Null for items that lack the value. */
  value: string | null;
  /** All values on the way here, this group's own last. */
  path: readonly { by: string; value: string | null }[];
  count: number;
  health: HealthCounts;
  /** Null when there is nothing below to open. */
  isOpen: boolean | null;
  isFavorite: boolean;
}
export type CatalogRow = CatalogItemRow | CatalogGroupRow;

export interface ValueCount {
  value: string;
  total: number;
}

/** Everything around the rows. */
export interface CatalogFrame {
  /** False until the items were read: "empty" and "not loaded yet" look different. */
  isLoaded: boolean;
  /** Whether insights and changes were read, too; until then their columns say nothing. */
  hasAnalysis: boolean;
  hasChanges: boolean;
  rowCount: number;
  /** Items that pass. */
  itemCount: number;
  /** Items of this device, deleted ones included. */
  totalCount: number;
  /** Items that pass, by health. */
  health: HealthCounts;
  types: ValueCount[];
  statuses: ValueCount[];
  tagKeys: string[];
  /** Empty while nobody asked. */
  facets: LabelFacet[];
}

/** A difference to what was sent before: only the parts that changed. */
export interface CatalogPatch {
  generation: number;
  frame?: CatalogFrame;
  rows?: { start: number; rows: CatalogRow[] };
}
