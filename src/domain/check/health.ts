import type { Check, CheckStatusName } from './check.ts';

/** What a health mark can say. Told by shape and text as well as by colour (design §5). */
export type HealthState = 'healthy' | 'unhealthy' | 'warning' | 'unknown';

/** A check is overdue after this many of its own intervals without a run … */
const OVERDUE_INTERVALS = 2;
/** … and never sooner than this, so that jitter and a slow link don't grey out fast checks. */
const OVERDUE_FLOOR_MS = 60_000;

const RED = new Set(['degraded', 'missing', 'unhealthy']);
const GREY = new Set(['unknown', 'suspended']);
const ORANGE = new Set(['warning', 'mixed']);

/** The mark of any health word of the product (spec 1 §2 'Health dashboard'): red, grey, orange, else green. */
export function healthOfWord(word: string | null | undefined, isGood?: boolean): HealthState {
  if (isGood === false) return 'unhealthy';
  if (word === null || word === undefined || word === '') return 'unknown';
  const lower = word.toLowerCase();
  if (RED.has(lower)) return 'unhealthy';
  if (GREY.has(lower)) return 'unknown';
  if (ORANGE.has(lower)) return 'warning';
  return 'healthy';
}

/** The last moment at which the check's last result tells its state, ms; Infinity without a next run. */
export function currentUntilMs(check: Pick<Check, 'last_runtime' | 'next_runtime'>): number {
  if (check.next_runtime === null) return Number.POSITIVE_INFINITY;
  const next = Date.parse(check.next_runtime);
  if (Number.isNaN(next)) return Number.POSITIVE_INFINITY;
  const last = check.last_runtime === null ? Number.NaN : Date.parse(check.last_runtime);
  const interval = Number.isNaN(last) ? 0 : Math.max(0, next - last);
  return next + Math.max(OVERDUE_FLOOR_MS, (OVERDUE_INTERVALS - 1) * interval);
}

/**
 * What is known of a check now. `state` never says healthy of a stale one (design §4 law 11): its next run is overdue,
 * so its last result no longer tells its state. A check without a next run is never overdue.
 */
export interface CheckHealth {
  state: HealthState;
  lastKnown: CheckStatusName | null;
  isStale: boolean;
}

/** What a result says at `nowMs` that tells the state until then (`currentUntilMs`), both on the server's clock. */
export function healthUntil(status: Check['status'], untilMs: number, nowMs: number): CheckHealth {
  const isStale = status !== null && nowMs > untilMs;
  if (status === null) return { state: 'unknown', lastKnown: null, isStale: false };
  if (status === 'healthy' && isStale) return { state: 'unknown', lastKnown: 'healthy', isStale };
  return { state: status, lastKnown: status, isStale };
}

/** Health of one check at `nowMs` (server clock): overdue healthy becomes unknown, overdue unhealthy stays red. */
export function checkHealth(
  check: Pick<Check, 'status' | 'last_runtime' | 'next_runtime'>,
  nowMs: number,
): CheckHealth {
  return healthUntil(check.status, currentUntilMs(check), nowMs);
}

/** Its health once nothing was heard of it for longer than any check may be silent. */
export function healthWhenOverdue(check: Parameters<typeof checkHealth>[0]): CheckHealth {
  return checkHealth(check, Number.MAX_SAFE_INTEGER);
}

/** What a check's mark says besides its state: that it is not run, or that its last result is an old one. */
export type CheckLook = 'notRun' | 'overdue';

/** Null where the state says all. */
export function lookOf(
  check: Pick<Check, 'not_run_reason'>,
  { isStale }: Pick<CheckHealth, 'isStale'>,
): CheckLook | null {
  if (typeof check.not_run_reason === 'string') return 'notRun';
  return isStale ? 'overdue' : null;
}

/** Counts of checks by state. */
export type HealthCounts = Record<HealthState, number>;

/** Counts to add to. */
export function emptyCounts(): HealthCounts {
  return { healthy: 0, unhealthy: 0, warning: 0, unknown: 0 };
}

/** Health of a group: good when all are, bad when all are, mixed (warning) otherwise (spec 1 §4). */
export function groupHealth(counts: HealthCounts): HealthState {
  const total = counts.healthy + counts.unhealthy + counts.warning + counts.unknown;
  if (total === 0 || counts.unknown === total) return 'unknown';
  if (counts.healthy === total) return 'healthy';
  if (counts.unhealthy === total) return 'unhealthy';
  return 'warning';
}

/** Only a check that is known to be healthy now counts as passing; Hide Passing hides nothing else. */
export function isPassing(health: CheckHealth): boolean {
  return health.state === 'healthy' && !health.isStale;
}
