/**
 * When the server was heard last, through reloads: how old what is kept is, and since when there is no contact.
 * A start without a network goes on with what the visit before knew, it doesn't begin to count anew.
 */
import type { KeyValue } from '../../store/key-value.ts';
import type { StatusBoard } from './status-board.ts';

export const AS_OF = 'asOf';
const DOWN_SINCE = 'downSince';

export interface LastContactParts {
  board: StatusBoard;
  meta: KeyValue;
  report: (error: unknown) => void;
}

/** One for a user's store. */
export class LastContact {
  private readonly parts: LastContactParts;
  private readonly stop: () => void;
  /** What is written down; undefined before it was read. */
  private kept: number | null | undefined = undefined;
  private hasContact = false;

  constructor(parts: LastContactParts) {
    this.parts = parts;
    this.stop = parts.board.subscribe(({ connection, downSinceMs }) => {
      if (connection === 'live' || connection === 'polling') {
        this.hasContact = true;
        this.keep(null);
      } else if (connection !== 'connecting') this.keep(downSinceMs);
    });
  }

  /** Tells what was kept; answers with how old the newest of it is. */
  async show(): Promise<number | null> {
    const { board, meta } = this.parts;
    const [asOf, downSince] = await Promise.all([meta.get(AS_OF), meta.get(DOWN_SINCE)]);
    const asOfMs = typeof asOf === 'number' ? asOf : null;
    // Nobody noted when the contact was lost with the last tab: it was there at that time.
    const lostMs = typeof downSince === 'number' ? downSince : asOfMs;
    this.kept = typeof downSince === 'number' ? downSince : null;
    if (asOfMs !== null && board.get().asOfMs === null) board.patch({ asOfMs });
    if (lostMs !== null && !this.hasContact) board.patch({ downSinceMs: lostMs });
    return asOfMs;
  }

  close(): void {
    this.stop();
  }

  private keep(downSinceMs: number | null): void {
    if (this.kept === undefined || this.kept === downSinceMs) return;
    const { meta, report } = this.parts;
    this.kept = downSinceMs;
    const written = downSinceMs === null ? meta.delete(DOWN_SINCE) : meta.set(DOWN_SINCE, downSinceMs);
    written.catch(report);
  }
}
