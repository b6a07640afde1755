/** All actions of the compute worker, by name. */
import * as z from 'zod/mini';
import type { FirstWindowText } from '../first-window.ts';
import type { WrittenDocument } from '../written-document.ts';
import { action } from './action-definition.ts';

export const COMPUTE_ACTIONS = {
  /** Reads the store of that name, as after sign-in as someone else; null drops everything that was read. */
  attach: action<null>()(z.object({ storeName: z.nullable(z.string()) })),
  /** The server's clock relative to this device's, for ages and overdue checks. */
  'set-clock-offset': action<null>()(z.object({ offsetMs: z.number() })),
  /** The present answer to a live query, to be cached for the next start; null while there is none. */
  'first-window': action<FirstWindowText | null>()(z.object({ name: z.string(), args: z.unknown() })),
  /** Writes JSON as people read it; a large one takes its time there and not on the page. */
  'write-document': action<WrittenDocument>()(z.object({ json: z.string(), form: z.enum(['yaml', 'json']) })),
};
export type ComputeActions = typeof COMPUTE_ACTIONS;
