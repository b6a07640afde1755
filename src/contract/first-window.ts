/**
 * The first answer to a live query, as it is cached for the next start. A page shows it until the compute worker has
 * read the store; what depends on the time is worked out when it is shown.
 */
import type { HealthPatch } from './worker.ts';

/** What the compute worker hands over: the cached text, and whose store it is about. */
export interface FirstWindowText {
  storeName: string;
  /** JSON of a FirstWindow. */
  text: string;
  /** From then on it may say passing of a check that is overdue; ms on the server's clock, null for never. */
  untilMs: number | null;
}

export interface FirstWindow<Patch> {
  patch: Patch;
  /** Of checks; null for what doesn't change by the passing of time. */
  later: HealthLater | null;
  /** Of a topology: what becomes of it while nothing is heard of its checks. */
  overdue?: OverduePatch<Patch>;
}

/** Another answer, from the moment on at which checks that count as healthy may be overdue. */
export interface OverduePatch<Patch> {
  /** Up to then every check that counts as healthy is; ms on the server's clock. */
  healthyUntilMs: number;
  /** The answer once all checks are overdue. */
  patch: Patch;
}

/** What becomes of a health window while nothing is heard of its checks. Times are ms on the server's clock. */
export interface HealthLater {
  /** Up to then every check that counts as healthy is. */
  healthyUntilMs: number;
  /** From then on uptime and latency that rows add up may be of too long ago. */
  figuresUntilMs: number;
  /** The answer once all checks are overdue, without the facets, which are the same. */
  whenOverdue: HealthPatch;
}
