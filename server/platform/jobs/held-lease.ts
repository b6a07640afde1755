/** A lease as its holder has it. */
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
};

interface HeldDeps {
  now: () => number;
  untilMs: number;
  release: (lease: HeldLease) => Promise<void>;
}

export function createHeldLease({ name, token }: TakenLease, deps: HeldDeps): HeldLease {
  const lost = new AbortController();
  let untilMs = deps.untilMs;
  const lease: HeldLease = {
    name,
    token,
    signal: lost.signal,
    isHeld: () => !lost.signal.aborted && deps.now() < untilMs,
    release: () => (lost.signal.aborted ? Promise.resolve() : deps.release(lease)),
    renewed(newUntilMs) {
      untilMs = newUntilMs;
    },
    lose: () => lost.abort(),
  };
  return lease;
}
