/**
 * Live queries over replicated rows (design §4 law 1): the app asks the compute worker a standing question and
 * gets a window of rows, counts, and afterwards only what differs. Answers are server rows with the pending
 * commands of this device on top.
 */
import { z } from 'zod';
import { collectionSchema, type ReplicatedRow } from './collections.ts';
import { windowSchema } from './worker.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** A condition on one column of the row. A missing column counts as null. */
export const conditionSchema = z.discriminatedUnion('op', [
  z.object({ field: z.string(), op: z.enum(['eq', 'not', 'gte', 'lte']), value: scalar }),
  z.object({ field: z.string(), op: z.enum(['in', 'not-in']), values: z.array(scalar) }),
]);
export type Condition = z.output<typeof conditionSchema>;

export const liveQuestionSchema = z.object({
  collection: collectionSchema,
  /** All must hold. */
  where: z.array(conditionSchema),
  /** Words that all occur in the row's searchable text; empty for no search. */
  search: z.string().max(1000),
  sort: z.array(z.object({ field: z.string(), isDescending: z.boolean() })),
  /** Counts by the values of this column, over all rows that pass; null for none. */
  groupBy: z.string().nullable(),
  window: windowSchema,
});
export type LiveQuestion = z.output<typeof liveQuestionSchema>;

/** Whether the row carries commands that the server hasn't confirmed. */
export type Pending = 'none' | 'kept' | 'sent';

export interface LiveRow<Row = ReplicatedRow> {
  id: string;
  row: Row;
  pending: Pending;
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
