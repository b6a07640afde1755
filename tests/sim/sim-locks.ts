/** Web Locks and the BroadcastChannel of one simulated device: what joins its tabs. */
import type { LockRequest } from '../../workers/sync/platform.ts';
import type { ProcessGuard } from './process-guard.ts';
import type { Random } from './seeded-random.ts';
import type { VirtualClock } from './virtual-clock.ts';

interface Holder {
  life: ProcessGuard;
  lost: AbortController;
  release: () => void;
}

interface Waiter {
  life: ProcessGuard;
  start: () => void;
}

/** A lock is asked for in another process: it never comes in the same instant. */
const GRANT_MS = 1;

/** Locks of one device. A dead worker's lock is free at once; a frozen one keeps its own, as in a browser. */
export class SimLocks {
  private readonly clock: VirtualClock;
  private readonly holders = new Map<string, Holder>();
  private readonly waiting = new Map<string, Waiter[]>();
  /** Everybody gets every lock: what a browser without locks would be. */
  isIgnored = false;

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  hold(life: ProcessGuard, request: LockRequest, run: (lost: AbortSignal) => Promise<void>): Promise<void> {
    if (life.isDead) return new Promise(() => {});
    const lost = new AbortController();
    if (this.isIgnored) return run(lost.signal);
    return new Promise((resolve, reject) => {
      const start = () => {
        const holder: Holder = { life, lost, release: () => {} };
        const unwatch = life.atDeath(() => holder.release());
        holder.release = () => {
          unwatch();
          if (this.holders.get(request.name) !== holder) return;
          this.holders.delete(request.name);
          this.next(request.name);
        };
        this.holders.set(request.name, holder);
        life.enter(() => {
          run(lost.signal)
            .finally(() => holder.release())
            .then(resolve, reject);
        });
      };
      const ask = () => {
        if (life.isDead) return;
        if (request.steal) {
          this.steal(request.name);
          start();
        } else if (request.signal.aborted) {
          life.enter(() => reject(new DOMException('gave up waiting', 'AbortError')));
        } else if (this.holders.has(request.name)) {
          this.queue(request, { life, start }, reject);
        } else start();
      };
      this.clock.after(GRANT_MS, ask);
    });
  }

  private steal(name: string): void {
    const holder = this.holders.get(name);
    this.holders.delete(name);
    holder?.life.enter(() => holder.lost.abort());
  }

  private queue({ name, signal }: LockRequest, waiter: Waiter, reject: (error: Error) => void): void {
    const line = this.waiting.get(name) ?? [];
    this.waiting.set(name, [...line, waiter]);
    signal.addEventListener(
      'abort',
      () => {
        const rest = this.waiting.get(name) ?? [];
        if (!rest.includes(waiter)) return;
        this.waiting.set(
          name,
          rest.filter((other) => other !== waiter),
        );
        reject(new DOMException('gave up waiting', 'AbortError'));
      },
      { once: true },
    );
  }

  private next(name: string): void {
    const line = (this.waiting.get(name) ?? []).filter(({ life }) => !life.isDead);
    const [first, ...rest] = line;
    this.waiting.set(name, rest);
    first?.start();
  }
}

/** Longest way of a message between two tabs. */
const BUS_MS = 4;

/** Messages reach every other worker of the device, each in order, none at once. */
export class SimBus {
  private readonly listeners = new Map<ProcessGuard, Set<(message: unknown) => void>>();
  private readonly parts: { clock: VirtualClock; random: Random };

  constructor(parts: { clock: VirtualClock; random: Random }) {
    this.parts = parts;
  }

  listen(life: ProcessGuard, listener: (message: unknown) => void): () => void {
    const own = this.listeners.get(life) ?? new Set();
    this.listeners.set(life, own.add(listener));
    return () => own.delete(listener);
  }

  /** `from` null: a worker that only reads, which every other hears. */
  announce(from: ProcessGuard | null, message: unknown): void {
    if (from?.isDead === true) return;
    const { clock, random } = this.parts;
    const copy = structuredClone(message);
    clock.after(random.between(0, BUS_MS), () => {
      for (const [life, listeners] of this.listeners) {
        if (life === from || life.isDead) continue;
        for (const listener of listeners) life.enter(() => listener(structuredClone(copy)));
      }
    });
  }
}
