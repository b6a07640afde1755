/** A wait that can be cut short: for retries that a returning network, or the end, shouldn't have to sit out. */
import type { SyncPlatform } from '../platform.ts';

/** For one waiter at a time. */
export class Pause {
  private readonly platform: Pick<SyncPlatform, 'later'>;
  private end = () => {};

  constructor(platform: Pick<SyncPlatform, 'later'>) {
    this.platform = platform;
  }

  /** Resolves after `delayMs`, or when it is ended. One wait at a time. */
  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.platform.later(delayMs, () => this.end());
      this.end = () => {
        cancel();
        this.end = () => {};
        resolve();
      };
    });
  }

  /** Ends the wait that is on; nothing happens when none is. */
  cut(): void {
    this.end();
  }
}
