/** Open insights as they cross between the UI and the compute worker: joined with their items. */
import type { output } from 'zod/v4/core';
import type { insightQuerySchema } from './queries/live-arguments.ts';
import type { ValueCount } from './catalog-view.ts';

/** The columns' names as links and the server have them (contract §6.4, §19.11). */
export const INSIGHT_COLUMNS = [
  'config',
  'analysis_type',
  'analyzer',
  'severity',
  'first_observed',
  'last_observed',
] as const;
export type InsightColumn = (typeof INSIGHT_COLUMNS)[number];

export type InsightQuery = output<typeof insightQuerySchema>;

export interface InsightRow {
  id: string;
  configId: string;
  configName: string | null;
  configType: string | null;
  type: string | null;
  analyzer: string | null;
  severity: string | null;
  status: string | null;
  summary: string | null;
  firstObserved: string | null;
  lastObserved: string | null;
}

export interface InsightFrame {
  isLoaded: boolean;
  rowCount: number;
  /** All open insights of this device. */
  totalCount: number;
  types: ValueCount[];
  analyzers: ValueCount[];
  configTypes: ValueCount[];
}

/** A difference to what was sent before. */
export interface InsightPatch {
  generation: number;
  frame?: InsightFrame;
  rows?: { start: number; rows: InsightRow[] };
}
