/** The server's clock through the end of this worker: a start without a network goes on from what was known. */
import { z } from 'zod';
import type { KeyValue } from '../../store/key-value.ts';
import type { StoredClock, ServerClock } from './server-clock.ts';

const CLOCK = 'clock';
/** A kept time that is older than the newest by less than this is good enough. */
const KEEP_EVERY_MS = 5000;
/** A smaller difference of the offset is noise of the estimate. */
const OFFSET_STEP_MS = 1000;

const keptSchema = z.object({ offsetMs: z.number(), newestMs: z.number() });

/** `device` is where facts are that belong to no user. */
export class StoredServerClock {
  private readonly clock: ServerClock;
  private readonly device: KeyValue;
  private written: StoredClock | null = null;

  constructor(clock: ServerClock, device: KeyValue) {
    this.clock = clock;
    this.device = device;
  }

  /** Takes what an earlier visit wrote down. */
  async restore(): Promise<void> {
    const kept = keptSchema.safeParse(await this.device.get(CLOCK));
    if (kept.success) this.clock.restore(kept.data);
  }

  /** What is kept was true at that time: it is not earlier now. */
  notBefore(asOfMs: number | null): void {
    if (asOfMs !== null && asOfMs > this.clock.now())
      this.clock.restore({ offsetMs: this.clock.offsetMs(), newestMs: asOfMs });
  }

  /** Writes down what is known now, when it differs by something. */
  async keep(): Promise<void> {
    const now = this.clock.kept();
    if (now === null) return;
    const isSame =
      this.written !== null &&
      Math.abs(now.newestMs - this.written.newestMs) < KEEP_EVERY_MS &&
      Math.abs(now.offsetMs - this.written.offsetMs) < OFFSET_STEP_MS;
    if (isSame) return;
    this.written = now;
    await this.device.set(CLOCK, now);
  }
}
