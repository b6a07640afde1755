/**
 * A bound on work that costs much (hashing of passwords): so many run at a time, so many wait, the rest is refused
 * at once. Whoever waits is served in the order of coming.
 */
import { AppError } from '../../../src/contract/errors.ts';

export interface WorkLimit {
  /** Runs the work when it is its turn; throws `server` (503) when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Counts of pieces of work; `run` throws `server` (503) when `waiting` others wait already. */
export function createWorkLimit(limit: { running: number; waiting: number }): WorkLimit {
  const queue: (() => void)[] = [];
  let running = 0;

  async function turn(): Promise<void> {
    if (running < limit.running) {
      running += 1;
      return;
    }
    if (queue.length >= limit.waiting) {
      throw new AppError('server', 'The server is busy. Please try again in a moment.', { status: 503 });
    }
    // Whoever ends hands the place over: `running` stays as it is.
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  return {
    async run(work) {
      await turn();
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
