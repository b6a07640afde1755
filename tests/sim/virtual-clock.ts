/**
 * The one clock of a simulated world, and the order in which everything in it happens. Time stands still while
 * anything is under way (a database call, an IndexedDB task, a promise) and then jumps to the next timer, so ten
 * minutes take as long as their work does.
 * Invariants: timers fire in the order of their time, then of their making; nothing else moves the clock. Work outside
 * (a thread) is given back only when everything else has come to rest, one piece at a time, so that how long it really
 * took changes nothing: the same seed takes the same steps.
 */
import { createChoices, type Choices } from './choices.ts';
import { createRandom } from './seeded-random.ts';
import { StepTrace } from './step-trace.ts';

interface Timer {
  atMs: number;
  order: number;
  run: () => void;
}

interface Leaf {
  name: string;
  begin: () => Promise<void>;
}

/** Turns of the event loop in which what follows from a step comes to rest: promises and streams take a few. */
const QUIET_TURNS = 8;
/** A world that never rests is a bug of the program or of the simulator, not something to wait for. */
const MOST_STEPS = 400_000;
const LONGEST_WORK_MS = 180_000;
/** How often work outside is given back before the databases of the devices have done all that they were asked. */
const OVERTAKING = 0.2;

const realImmediate = globalThis.setImmediate;

function turn(): Promise<void> {
  return new Promise((resolve) => {
    realImmediate(resolve);
  });
}

async function quietTurns(): Promise<void> {
  for (let turns = 0; turns < QUIET_TURNS; turns += 1) await turn();
}

export class VirtualClock {
  readonly trace = new StepTrace();
  readonly choices: Choices;
  private atMs: number;
  private readonly timers: Timer[] = [];
  private made = 0;
  /** Tasks of the devices' databases, in the order in which they were asked for. */
  private readonly tasks: (() => void)[] = [];
  /** Work outside that hasn't begun. */
  private readonly leaves: Leaf[] = [];
  /** What is under way outside, by name. */
  private readonly underWay = new Map<number, string>();
  private begun = 0;
  private changed = () => {};
  private readonly watchers = new Set<() => void>();
  private isDriven = false;
  /** What is driven is done. */
  private isOver = false;

  constructor(startMs: number, choices: Choices = createChoices(createRandom('any'))) {
    this.atMs = startMs;
    this.choices = choices;
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

  /** Time waits for this work, whose parts happen outside of the simulation (a hash, a request). */
  async hold<T>(work: Promise<T>, name = 'work'): Promise<T> {
    this.begun += 1;
    const mine = this.begun;
    this.underWay.set(mine, name);
    try {
      return await work;
    } finally {
      this.underWay.delete(mine);
      this.changed();
    }
  }

  /** Work in another thread. One piece is done at a time, and only while everything else rests. */
  leaf<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.hold(
      new Promise<T>((resolve, reject) => {
        const begin = async () => {
          try {
            resolve(await work());
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        };
        this.leaves.push({ name, begin });
        this.changed();
      }),
      name,
    );
  }

  /** Calls at every step in which the world works: where a crash may strike. */
  onTurn(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Lets everything that can go on now go on. */
  settle(): Promise<void> {
    return this.run(0);
  }

  /** Lets `durationMs` pass. */
  run(durationMs: number): Promise<void> {
    return this.drive(() => this.sleep(durationMs));
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

  /** Makes the world go on until this work in it is done. Work that is driven already is only waited for. */
  async drive<T>(work: () => Promise<T>): Promise<T> {
    if (this.isDriven) return work();
    this.isDriven = true;
    const before = globalThis.setImmediate;
    globalThis.setImmediate = this.immediate() as typeof setImmediate;
    try {
      this.isOver = false;
      const done = work().finally(() => {
        this.isOver = true;
        this.changed();
      });
      // Whoever waits hears of a failure; here it only ends the driving.
      done.catch(() => {});
      for (let idle = 0; !this.isOver;) idle = (await this.step()) ? 0 : await this.rest(idle);
      return await done;
    } finally {
      globalThis.setImmediate = before;
      this.isDriven = false;
    }
  }

  /** What the databases of the devices use to do something later. */
  private immediate() {
    return (run: (...args: unknown[]) => void, ...args: unknown[]) => {
      const task = () => run(...args);
      this.tasks.push(task);
      this.changed();
      return {};
    };
  }

  /** One step of whatever may happen now; false when nothing may. */
  private async step(): Promise<boolean> {
    const isLeafNext = this.leaves.length > 0 && (this.tasks.length === 0 || this.choices.chance(OVERTAKING));
    if (isLeafNext) {
      await quietTurns();
      const leaf = this.leaves.shift();
      this.trace.note('leaf', leaf?.name ?? '');
      await this.within(leaf?.begin() ?? Promise.resolve());
      await quietTurns();
      return true;
    }
    const task = this.tasks.shift();
    if (task === undefined) return false;
    this.trace.note('task', '');
    task();
    await turn();
    this.notifyWatchers();
    return true;
  }

  /** Nothing may happen by itself: waits for what is under way outside, or lets the next timer fire. */
  private async rest(idle: number): Promise<number> {
    if (idle < QUIET_TURNS) {
      await turn();
      return idle + 1;
    }
    if (this.isOver || this.tasks.length > 0 || this.leaves.length > 0) return 0;
    if (this.underWay.size > 0) {
      await this.within(
        new Promise<void>((resolve) => {
          this.changed = resolve;
        }),
      );
      this.changed = () => {};
      return 0;
    }
    const timer = this.timers.shift();
    if (timer === undefined) throw new Error('the world waits for nothing');
    this.atMs = Math.max(this.atMs, timer.atMs);
    this.trace.note('timer', String(this.atMs));
    timer.run();
    await turn();
    this.notifyWatchers();
    return 0;
  }

  private notifyWatchers(): void {
    for (const watcher of Array.from(this.watchers)) watcher();
    if (this.trace.sinceMoved(this.atMs) > MOST_STEPS) throw new Error('the world never rests');
  }

  /** Waits for something real, but not for ever. */
  private async within(work: Promise<void>): Promise<void> {
    let limit: NodeJS.Timeout | undefined;
    const never = new Promise<never>((_, reject) => {
      limit = setTimeout(() => {
        reject(new Error(`never ends: ${[...this.underWay.values()].join('; ')}`));
      }, LONGEST_WORK_MS);
    });
    try {
      await Promise.race([work, never]);
    } finally {
      clearTimeout(limit);
    }
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
