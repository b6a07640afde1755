/**
 * The one clock of a simulated world. Time stands still while anything real is under way (a database call, an
 * IndexedDB task, a promise) and then jumps to the next timer, so ten minutes take as long as their work does.
 * Invariant: timers fire in the order of their time, then of their making; nothing else moves the clock.
 */
interface Timer {
  atMs: number;
  order: number;
  run: () => void;
}

/** Turns of the event loop without anything to do before the world counts as idle. */
const IDLE_TURNS = 3;
/** A world that never rests is a bug of the program or of the simulator, not something to wait for. */
const MOST_TURNS = 100_000;
const LONGEST_WORK_MS = 60_000;

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function hasQueuedTask(): boolean {
  return process.getActiveResourcesInfo().includes('Immediate');
}

export class VirtualClock {
  private atMs: number;
  private readonly timers: Timer[] = [];
  private made = 0;
  /** What is under way outside, by name. */
  private readonly underWay = new Map<number, string>();
  private begun = 0;
  private ended = () => {};
  private readonly watchers = new Set<() => void>();

  constructor(startMs: number) {
    this.atMs = startMs;
  }

  now(): number {
    return Math.floor(this.atMs);
  }

  /** Calls back once; returns how to cancel it. */
  after(delayMs: number, run: () => void): () => void {
    this.made += 1;
    const timer: Timer = { atMs: this.atMs + Math.max(0, delayMs), order: this.made, run };
    this.insert(timer);
    return () => {
      const at = this.timers.indexOf(timer);
      if (at !== -1) this.timers.splice(at, 1);
    };
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delayMs, resolve);
    });
  }

  /** Time waits for this work, which happens outside of the simulation (a thread, a hash). */
  async hold<T>(work: Promise<T>, name = 'work'): Promise<T> {
    this.begun += 1;
    const mine = this.begun;
    this.underWay.set(mine, name);
    try {
      return await work;
    } finally {
      this.underWay.delete(mine);
      if (this.underWay.size === 0) this.ended();
    }
  }

  /** Calls at every turn of the event loop in which the world works: where a crash may strike. */
  onTurn(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Lets everything that can go on now go on. */
  async settle(): Promise<void> {
    let idle = 0;
    for (let turns = 0; idle < IDLE_TURNS; turns += 1) {
      if (turns > MOST_TURNS) throw new Error('the world never rests');
      if (this.underWay.size > 0) await this.workDone();
      await turn();
      for (const watcher of Array.from(this.watchers)) watcher();
      idle = this.underWay.size > 0 || hasQueuedTask() ? 0 : idle + 1;
    }
  }

  /** Lets `durationMs` pass. */
  async run(durationMs: number): Promise<void> {
    const untilMs = this.atMs + durationMs;
    await this.settle();
    for (;;) {
      const next = this.timers[0];
      if (next === undefined || next.atMs > untilMs) break;
      this.timers.shift();
      this.atMs = Math.max(this.atMs, next.atMs);
      next.run();
      await this.settle();
    }
    this.atMs = untilMs;
  }

  /** Lets time pass until something is true, for at most so long; false when it never was. */
  async runUntil(isReached: () => boolean | Promise<boolean>, limits: { everyMs: number; forMs: number }) {
    const endMs = this.atMs + limits.forMs;
    while (!(await isReached())) {
      if (this.atMs >= endMs) return false;
      await this.run(limits.everyMs);
    }
    return true;
  }

  /** Sleeps until nothing is under way outside; the event loop is free for it meanwhile. */
  private workDone(): Promise<void> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        reject(new Error(`never ends: ${[...this.underWay.values()].join('; ')}`));
      }, LONGEST_WORK_MS);
      this.ended = () => {
        clearTimeout(limit);
        this.ended = () => {};
        resolve();
      };
    });
  }

  private insert(timer: Timer): void {
    let [low, high] = [0, this.timers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.timers[middle];
      const isBefore =
        found !== undefined &&
        (found.atMs < timer.atMs || (found.atMs === timer.atMs && found.order < timer.order));
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    this.timers.splice(low, 0, timer);
  }
}
