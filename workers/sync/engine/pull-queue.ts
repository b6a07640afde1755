/**
 * What is to be pulled next and when: one pull at a time; what is pushed meanwhile comes after it, in order. Waits are
 * counted by the monotonic clock: the device's own may be set at any time.
 */
import type { PushedChanges } from '../pull/dialect.ts';

export type PullJob = { kind: 'timed' } | { kind: 'pushed'; pushed: readonly PushedChanges[] };

const DEFAULT_INTERVAL_MS = 60_000;

export interface QueueClock {
  /** ms that only ever grow. */
  elapsed(): number;
  later(delayMs: number, callback: () => void): () => void;
}

/** One for the leading worker's engine; times are ms. */
export class PullQueue {
  private readonly clock: QueueClock;
  /** The first pull is one of everything. */
  private isAllAsked = true;
  private pushed: PushedChanges[] = [];
  private everyMs: number | null = DEFAULT_INTERVAL_MS;
  private lastAllMs: number;
  private heldUntilMs: number | null = null;
  private wake = () => {};

  constructor(clock: QueueClock) {
    this.clock = clock;
    this.lastAllMs = clock.elapsed();
  }

  /** Asks for a pull of everything, as soon as it may be. */
  requestAll(): void {
    this.isAllAsked = true;
    this.wake();
  }

  /** Changes that the server sent by itself. */
  requestPushed(changes: PushedChanges): void {
    this.pushed.push(changes);
    this.wake();
  }

  /** Not before so much time has passed, whatever is asked (after a failure); null lifts it. */
  holdFor(durationMs: number | null): void {
    this.heldUntilMs = durationMs === null ? null : this.clock.elapsed() + durationMs;
    this.wake();
  }

  /** How often to pull without being asked; null for never. */
  setInterval(intervalMs: number | null): void {
    this.everyMs = intervalMs;
    this.wake();
  }

  intervalMs(): number | null {
    return this.everyMs;
  }

  hasWork(): boolean {
    return this.isAllAsked || this.pushed.length > 0;
  }

  /** Takes what is due; null when nothing is. */
  take(): PullJob | null {
    if (this.dueAtMs() > this.clock.elapsed()) return null;
    const { pushed } = this;
    // A pull of everything brings these, too.
    this.pushed = [];
    if (!this.isAllAsked && pushed.length > 0) return { kind: 'pushed', pushed };
    this.isAllAsked = false;
    this.lastAllMs = this.clock.elapsed();
    return { kind: 'timed' };
  }

  /** Resolves when `take` may have something, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void> {
    const delayMs = this.dueAtMs() - this.clock.elapsed();
    if (signal.aborted || delayMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      let cancel = () => {};
      const done = () => {
        cancel();
        this.wake = () => {};
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.wake = done;
      signal.addEventListener('abort', done, { once: true });
      if (Number.isFinite(delayMs)) cancel = this.clock.later(delayMs, done);
    });
  }

  private dueAtMs(): number {
    if (this.hasWork()) return this.heldUntilMs ?? 0;
    const nextMs = this.everyMs === null ? Number.POSITIVE_INFINITY : this.lastAllMs + this.everyMs;
    return Math.max(nextMs, this.heldUntilMs ?? 0);
  }
}
