/**
 * The door to the part of the server that runs checks: what main starts and stops and what routes call.
 * Implemented by `createCheckService` in create-check-service.ts.
 */
import type { RunResult } from '../../src/contract/http/canary.ts';
import type { TriedCheck } from '../../src/contract/http/trying/try-check.ts';
import type { TryRequest } from './running/try-canary.ts';
import type { PostedCall } from './running/posted-checks.ts';
import type { LookupAnswer, LookupRequest } from './running/run-lookup.ts';

export interface CheckService {
  /** Loads canaries from files and database, then runs them on their schedules. */
  start(): Promise<void>;
  /** Stops taking work, lets running checks finish or kills them, stores what is done; within `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /**
   * Runs the canary entry that owns the check now; the result says when it is not run here, and why. Null when nothing
   * ran and nothing can be said, 'unknown' when there is no such check.
   */
  runCheckNow(checkId: string): Promise<RunResult | null | 'unknown'>;
  /** Runs checks that nobody has kept once, for what they answer; throws `invalid` for what can't be read. */
  tryChecks(request: TryRequest): Promise<TriedCheck[]>;
  /** Takes a result that somebody posted for a webhook check; 'unknown' as well where the token is not the check's. */
  takePosted(call: PostedCall): Promise<'taken' | 'unknown'>;
  /** What checks' `metrics` gave, for /api/metrics. */
  figuresText(): string;
  /** Numbers for /api/metrics. */
  stats(): { scheduled: number; running: number; completed: number; failed: number };
}

/** Runs checks for what they answer, storing nothing; throws for a specification that can't be read. */
export interface LookupRunner {
  lookUp(request: LookupRequest): Promise<LookupAnswer[]>;
}
