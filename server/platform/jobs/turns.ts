/** Dear work of one server: so many at a time, the rest in the order in which they came. */

interface Waiter {
  begin: () => void;
}

/** One for each kind of work. */
export class Turns {
  private free: number;
  private waiting: Waiter[] = [];

  constructor(atOnce: number) {
    this.free = atOnce;
  }

  /** True when the next one would have to wait. */
  get areTaken(): boolean {
    return this.free === 0;
  }

  /** Rejects when the signal aborts before its turn has come; what has begun is the work's own to end. */
  async during<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.turn(signal);
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next.begin();
    }
  }

  private turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const handleAbort = () => {
        this.waiting = this.waiting.filter((one) => one !== waiter);
        reject(new Error('aborted', { cause: signal.reason }));
      };
      const waiter: Waiter = {
        begin() {
          signal.removeEventListener('abort', handleAbort);
          resolve();
        },
      };
      signal.addEventListener('abort', handleAbort, { once: true });
      this.waiting.push(waiter);
    });
  }
}
