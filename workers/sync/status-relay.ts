/**
 * Where each tab has a worker of its own: the one that leads tells the others what the connectivity chip says, and
 * hears from one that was replaced where it stood. Every message is checked when it comes in.
 */
import { z } from 'zod';
import { cursorSchema, type Cursor } from '../../src/contract/sync.ts';
import type { SyncStatus } from '../../src/contract/worker.ts';
import type { SyncPlatform } from './platform.ts';
import type { StatusBoard } from './status-board.ts';

const statusMessage = z.object({
  type: z.literal('status'),
  storeName: z.string(),
  status: z.looseObject({ connection: z.string(), asOfMs: z.number().nullable() }),
});
const rewindMessage = z.object({ type: z.literal('rewind'), storeName: z.string(), cursor: cursorSchema });

export interface StatusRelayParts {
  platform: Pick<SyncPlatform, 'announce' | 'listen'>;
  storeName: string;
  board: StatusBoard;
}

export class StatusRelay {
  private readonly parts: StatusRelayParts;
  private readonly unlisten: () => void;
  private stopTelling: (() => void) | null = null;
  private onRewind = () => {};
  private rewindCursor: Cursor | null = null;

  constructor(parts: StatusRelayParts) {
    this.parts = parts;
    this.unlisten = parts.platform.listen((message) => this.hear(message));
  }

  /** From now on this worker tells. */
  lead(onRewind: () => void): void {
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

  /** Where the worker stood that asked last; once. */
  rewindTo(): Cursor | null {
    const cursor = this.rewindCursor;
    this.rewindCursor = null;
    return cursor;
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
      this.rewindCursor = rewind.data.cursor;
      this.onRewind();
      return;
    }
    const told = statusMessage.safeParse(message);
    if (!told.success || told.data.storeName !== storeName || isLeading) return;
    // Sent by the same build of the same worker; the parts that are used were checked above.
    const { offsetMs: _, ...status } = told.data.status as unknown as SyncStatus;
    board.patch(status);
  }
}
