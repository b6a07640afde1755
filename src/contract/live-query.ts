/**
 * Live queries over replicated rows (design §4 law 1): the app asks the compute worker a query and
 * gets a window of rows, counts, and afterwards only what differs. Answers are server rows with the pending
 * commands of this device on top.
 */
import type { output } from 'zod/v4/core';
import type { ReplicatedRow } from './collections.ts';
import type {
  conditionSchema,
  incidentsQuestionSchema,
  liveQuestionSchema,
} from './queries/live-arguments.ts';

/** A condition on one column of the row. A missing column counts as null. */
export type Condition = output<typeof conditionSchema>;
export type LiveQuestion = output<typeof liveQuestionSchema>;
export type IncidentsQuestion = output<typeof incidentsQuestionSchema>;

/**
 * Whether the row carries commands that the server hasn't confirmed. `saving`: the outbox doesn't have one of them on
 * the disk yet; when that fails the row shows it no longer.
 */
export type Pending = 'none' | 'saving' | 'kept' | 'sent';

/** Who responds to an incident: all of them counted, the first of them by name; null where it isn't known here. */
export interface IncidentTeam {
  total: number;
  who: { id: string; name: string | null; image: string | null }[];
}

export interface LiveRow<Row = ReplicatedRow> {
  id: string;
  row: Row;
  pending: Pending;
  /** Of incidents in their list, once it is known. */
  team?: IncidentTeam;
}

export interface LiveFrame {
  /** False until the collection was read: "empty" and "not loaded yet" look different. */
  isLoaded: boolean;
  total: number;
  groups: { value: string | number | boolean | null; count: number }[];
}

/** A difference to what was sent before. */
export interface LivePatch<Row = ReplicatedRow> {
  /** How often the question had been set anew when this was answered. */
  generation: number;
  frame?: LiveFrame;
  /** Ids of the window, in order, when they differ. */
  order?: { start: number; ids: string[] };
  /** Rows of the window that are new or differ. */
  rows?: LiveRow<Row>[];
}
