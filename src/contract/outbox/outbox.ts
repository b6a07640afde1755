/**
 * What the outbox keeps (design §4 laws 4 to 9), as it is stored on the device and as readers of the store see
 * it. A stored item is parsed when it is read: an older version of the app may have written it.
 */
import { z } from 'zod';
import { cursorSchema, refusalSchema } from '../sync.ts';

/** Where a command is on its way. */
export const outboxStateSchema = z.discriminatedUnion('kind', [
  /**
   * Waits to be sent. `mayHaveArrived`: it was sent before under another number, so it is neither dropped nor
   * let expire here; the server says what became of it.
   */
  z.object({ kind: z.literal('kept'), mayHaveArrived: z.literal(true).optional() }),
  /** Has a number and may have arrived; it is sent again under the same number until there is an answer. */
  z.object({ kind: z.literal('sent'), seq: z.number().int() }),
  /**
   * Done on the server; leaves the outbox when the feed has passed `position` (law 5), or, where the backend has
   * no feed (null), with the next complete pull.
   */
  z.object({ kind: z.literal('accepted'), position: cursorSchema.nullable() }),
  /** In the conflict inbox until the user redoes or drops it (law 6). */
  z.object({
    kind: z.literal('refused'),
    code: z.union([refusalSchema, z.enum(['blocked', 'unconfirmed'])]),
    message: z.string(),
    /** The server's values by field. */
    current: z.record(z.string(), z.unknown()).nullable(),
    atMs: z.number(),
  }),
]);
export type OutboxState = z.output<typeof outboxStateSchema>;

export const outboxItemSchema = z.object({
  /** Rises with each append on this device; commands of one entity keep this order. */
  order: z.number().int(),
  commandId: z.string(),
  name: z.string(),
  version: z.number().int(),
  args: z.unknown(),
  basedOn: z.record(z.string(), z.unknown()).nullable(),
  /** ISO, server clock. */
  expiresAt: z.string().nullable(),
  userId: z.string(),
  /** ms, server clock as known when it was written; shown, never compared. */
  atMs: z.number(),
  /** What it is about by the name that it had when this was written: the thing may be gone by now. */
  about: z.string().optional(),
  touches: z.array(z.string()),
  creates: z.array(z.string()),
  /** Until when (ms, server clock as known here) it may be taken back unseen: nothing leaves the device before. */
  heldUntilMs: z.number().optional(),
  /** How often the server failed at it through its own fault. */
  failures: z.number().int(),
  state: outboxStateSchema,
});
export type OutboxItem = z.output<typeof outboxItemSchema>;

/** How a command is written down. */
export interface SendOptions {
  /** How long it stays on this device before it may leave, ms; until then its author may take it back. */
  holdMs?: number;
  /** Of a command that counts at any time: after how long its author wants it no more, ms. */
  expiresAfterMs?: number;
}

/** Name of the outbox in StoreChange messages. */
export const OUTBOX = 'outbox';
/** Name in StoreChange messages of what is on its way into the outbox, and not yet on the disk. */
export const OUTBOX_SAVING = 'outbox-saving';
/** The object store of the items in the outbox's own database. */
export const OUTBOX_TABLE = 'items';

/** What the user sees of why nothing is sent right now; null when nothing hinders. */
export type OutboxPause = 'offline' | 'signed-out' | 'server-unreachable' | null;

export interface OutboxView {
  /** By order of writing; refused ones included. */
  items: OutboxItem[];
  pause: OutboxPause;
  /** Which database this is, and when it was made (ms): a lost one is followed by a younger one. */
  place: { storeName: string; bornMs: number };
}

/** So many items are copied to a page at a time: more would keep it from drawing. */
export const MOST_TOLD_ITEMS = 500;

/** What a page is told of the outbox: what changed, and with the last message of a view the rest of it. */
export interface OutboxUpdate {
  upserts: OutboxItem[];
  deletedIds: string[];
  /** Nothing that was told before counts: it is another outbox, or told anew. */
  isFirst: boolean;
  /** Null while more of the same view comes. */
  view: Omit<OutboxView, 'items'> | null;
}
