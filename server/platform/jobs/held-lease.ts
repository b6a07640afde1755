/** A lease as its holder has it. */
import type { Queryable } from '../db/database.ts';
import type { TakenLease } from './leases-query.ts';

export interface Lease {
  readonly name: string;
  /** Greater than that of every holder before; null where no other server can be. */
  readonly token: number | null;
  /** Aborted once it is known that the lease is lost or was given back. */
  readonly signal: AbortSignal;
  /** By this server's own clock, without asking: false after it was silent for too long. */
  isHeld(): boolean;
  /** For others to take at once. */
  release(): Promise<void>;
  /** With what else the transaction writes; false, and nothing may be written, when another server has had it since. */
  releaseIn(tx: Queryable): Promise<boolean>;
}

export interface HeldLease extends Lease {
  readonly token: number;
  renewed(untilMs: number): void;
  lose(): void;
}

/** Of a server that is alone with its database. */
export const SOLE_LEASE: Lease = {
  name: 'alone',
  token: null,
  signal: new AbortController().signal,
  isHeld: () => true,
  release: () => Promise.resolve(),
  releaseIn: () => Promise.resolve(true),
};

interface HeldDeps {
  now: () => number;
  untilMs: number;
  release: (lease: HeldLease, tx?: Queryable) => Promise<boolean>;
}

/** Times are ms of this server's clock; the database's decides who gets it next. */
export function createHeldLease({ name, token }: TakenLease, deps: HeldDeps): HeldLease {
  const lost = new AbortController();
  let untilMs = deps.untilMs;
  const lease: HeldLease = {
    name,
    token,
    signal: lost.signal,
    isHeld: () => !lost.signal.aborted && deps.now() < untilMs,
    async release() {
      if (!lost.signal.aborted) await deps.release(lease);
    },
    releaseIn: (tx) => deps.release(lease, tx),
    renewed(newUntilMs) {
      untilMs = newUntilMs;
    },
    lose: () => lost.abort(),
  };
  return lease;
}
