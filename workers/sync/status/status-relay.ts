/**
 * Where each tab has a worker of its own: the one that leads tells the others what the connectivity chip says, and
 * hears from one that was replaced where it stood. Every message is checked when it comes in.
 */
import { z } from 'zod';
import { cursorSchema, type Cursor } from '../../../src/contract/sync.ts';
import { ERROR_CODES } from '../../../src/contract/errors.ts';
import type { SyncStatus } from '../../../src/contract/worker.ts';
import type { SyncPlatform } from '../platform.ts';
import type { StatusBoard } from './status-board.ts';

const statusSchema = z.object({
  connection: z.enum(['connecting', 'live', 'polling', 'offline', 'server-unreachable']),
  downSinceMs: z.number().nullable(),
  asOfMs: z.number().nullable(),
  freshness: z.enum(['fresh', 'ageing', 'stale']),
  expectMs: z.number(),
  offsetMs: z.number(),
  isPulling: z.boolean(),
  firstLoad: z.number().nullable(),
  lastError: z
    .object({
      code: z.enum(ERROR_CODES),
      message: z.string(),
      retryable: z.boolean(),
      status: z.number().nullable(),
    })
    .nullable(),
  versions: z.object({ app: z.string(), server: z.string().nullable() }),
}) satisfies z.ZodType<SyncStatus>;
const statusMessage = z.object({
  type: z.literal('status'),
  storeName: z.string(),
  status: statusSchema,
});
const rewindMessage = z.object({ type: z.literal('rewind'), storeName: z.string(), cursor: cursorSchema });

export interface StatusRelayParts {
  platform: Pick<SyncPlatform, 'announce' | 'listen'>;
  storeName: string;
  board: StatusBoard;
}

/** One for a user's store; it either leads or follows. */
export class StatusRelay {
  private readonly parts: StatusRelayParts;
  private readonly unlisten: () => void;
  private stopTelling: (() => void) | null = null;
  private onRewind: (cursor: Cursor) => void = () => {};

  constructor(parts: StatusRelayParts) {
    this.parts = parts;
    this.unlisten = parts.platform.listen((message) => this.hear(message));
  }

  /** From now on this worker tells. */
  lead(onRewind: (cursor: Cursor) => void): void {
    const { platform, storeName, board } = this.parts;
    this.stopTelling?.();
    this.onRewind = onRewind;
    this.stopTelling = board.subscribe((status) => platform.announce({ type: 'status', storeName, status }));
  }

  /** From now on it listens. */
  follow(): void {
    this.stopTelling?.();
    this.stopTelling = null;
    this.onRewind = () => {};
  }

  askToRewind(cursor: Cursor): void {
    const { platform, storeName } = this.parts;
    platform.announce({ type: 'rewind', storeName, cursor });
  }

  close(): void {
    this.follow();
    this.unlisten();
  }

  private hear(message: unknown): void {
    const { storeName, board } = this.parts;
    const isLeading = this.stopTelling !== null;
    const rewind = rewindMessage.safeParse(message);
    if (rewind.success && rewind.data.storeName === storeName && isLeading) {
      this.onRewind(rewind.data.cursor);
      return;
    }
    const told = statusMessage.safeParse(message);
    if (!told.success || told.data.storeName !== storeName || isLeading) return;
    // Each worker knows its own clock best.
    const { offsetMs: _, ...status } = told.data.status;
    board.patch(status);
  }
}
