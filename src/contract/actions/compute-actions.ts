/** All actions of the compute worker, by name. */
import * as z from 'zod/mini';
import type { FirstWindowText } from '../first-window.ts';
import type { WrittenDocument } from '../written-document.ts';
import type { PackedLog } from '../../domain/incident/evidence-log.ts';
import { LOG_FILE_FORMS, type LogDetail } from '../logs/log-view.ts';
import {
  catalogQuerySchema,
  healthQuerySchema,
  liveQuestionSchema,
  logQuerySchema,
} from '../queries/live-arguments.ts';
import type { ReplicatedRow } from '../collections.ts';
import { action } from './action-definition.ts';

/** A check as many are chosen. */
export interface FoundCheck {
  id: string;
  name: string;
  canaryId: string;
  /** The group that it stands in; null where nothing is grouped. */
  group: string | null;
}

/** An item of the catalog as many are chosen. */
export interface FoundItem {
  id: string;
  name: string;
}

export const COMPUTE_ACTIONS = {
  /** Reads the store of that name, as after sign-in as someone else; null drops everything that was read. */
  attach: action<null>()(z.object({ storeName: z.nullable(z.string()) })),
  /** The server's clock relative to this device's, for ages and overdue checks. */
  'set-clock-offset': action<null>()(z.object({ offsetMs: z.number() })),
  /** The present answer to a live query, to be cached for the next start; null while there is none. */
  'first-window': action<FirstWindowText | null>()(z.object({ name: z.string(), args: z.unknown() })),
  /** The checks that a question about the board leaves, in its order: all, or those of one group. */
  'find-checks': action<FoundCheck[]>()(
    z.object({ query: healthQuerySchema, group: z.nullable(z.string()) }),
  ),
  /** Every row that a live question leaves, in its order, with these columns; its window does not matter. */
  'find-rows': action<ReplicatedRow[]>()(
    z.object({ question: liveQuestionSchema, fields: z.array(z.string()) }),
  ),
  /** Every item that a question about the catalog leaves, in its order, whatever its groups. */
  'find-items': action<FoundItem[]>()(z.object({ query: catalogQuerySchema })),
  /** Writes JSON as people read it; a large one takes its time there and not on the page. */
  'write-document': action<WrittenDocument>()(z.object({ json: z.string(), form: z.enum(['yaml', 'json']) })),
  /**
   * Puts an answer of `POST /logs` (its text) under a name: in the place of what is there, behind it (older lines), or
   * before it (newer ones, each once). Answers how many lines are held.
   */
  'put-logs': action<number>()(
    z.object({
      book: z.string(),
      place: z.enum(['all', 'older', 'newer']),
      bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    }),
  ),
  'drop-logs': action<null>()(z.object({ book: z.string() })),
  /** A line whole; null when it is no longer held. */
  'read-log-line': action<LogDetail | null>()(z.object({ query: logQuerySchema, seq: z.int() })),
  /** The lines that fit as a file, oldest first. */
  'write-logs': action<Uint8Array>()(z.object({ query: logQuerySchema, form: z.enum(LOG_FILE_FORMS) })),
  /** These lines with their neighbours, as evidence keeps them. */
  'pack-log-lines': action<PackedLog>()(z.object({ book: z.string(), seqs: z.array(z.int()) })),
};
export type ComputeActions = typeof COMPUTE_ACTIONS;
