/** When the sender goes on: it waits for news, for a moment to come, or for somebody who knows better. */
import type { SyncPlatform } from '../platform.ts';

export interface Rest {
  /** Null: until told. */
  delayMs: number | null;
  /** What ends it early: something to send, a reason to try again, or nothing. */
  endsOn: 'news' | 'wake' | 'nothing';
}

/** Timers count in 32 bits; a longer wait would end at once. */
const LONGEST_MS = 24 * 60 * 60_000;

/** One for a sender. */
export class Pacer {
  private readonly platform: Pick<SyncPlatform, 'later'>;
  private hasNews = false;
  private isWoken = false;
  private resting: { endsOn: Rest['endsOn']; end: () => void } | null = null;

  constructor(platform: Pick<SyncPlatform, 'later'>) {
    this.platform = platform;
  }

  /** News from before this moment is about to be looked at. */
  begin(): void {
    this.hasNews = false;
  }

  /** Something changed in the outbox. */
  notice(): void {
    this.hasNews = true;
    if (this.resting?.endsOn === 'news') this.resting.end();
  }

  /** The network is back, or the user: worth a try now. Remembered when it comes in the middle of a try. */
  wake(): void {
    if (this.resting !== null && this.resting.endsOn !== 'nothing') this.resting.end();
    else this.isWoken = true;
  }

  async rest({ delayMs, endsOn }: Rest, signal: AbortSignal): Promise<void> {
    const isOverAlready = (endsOn === 'news' && this.hasNews) || (endsOn !== 'nothing' && this.isWoken);
    if (endsOn !== 'nothing') this.isWoken = false;
    if (isOverAlready || signal.aborted) return;
    await new Promise<void>((resolve) => {
      let cancel = () => {};
      const end = () => {
        cancel();
        signal.removeEventListener('abort', end);
        this.resting = null;
        resolve();
      };
      this.resting = { endsOn, end };
      signal.addEventListener('abort', end);
      if (delayMs !== null) cancel = this.platform.later(Math.min(delayMs, LONGEST_MS), end);
    });
  }
}
