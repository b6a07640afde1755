/** The numbers of a check or of a group of checks that rows show and are sorted by. */
import { tabKey } from '../../domain/check/grouping.ts';
import { emptyCounts, groupHealth, type HealthCounts, type HealthState } from '../../domain/check/health.ts';
import { uptimePercent } from '../../domain/time/format.ts';
import type { Entry } from './check-index.ts';

/** What a row is sorted by; null is "not known" and comes last in either direction. */
export interface Measures {
  health: number;
  uptime: number | null;
  latency: number | null;
  /** ms since 1970 */
  transition: number | null;
}

/** Good to bad. */
const RANK: Record<HealthState, number> = { healthy: 0, unknown: 1, warning: 2, unhealthy: 3 };

const known = (number: number) => (Number.isNaN(number) ? null : number);

/** Of one check; null where it is not known. */
export function measuresOf(entry: Entry): Measures {
  return {
    health: RANK[entry.health.state],
    uptime: uptimePercent(entry.check.uptime),
    latency: known(entry.latencyMs),
    transition: known(entry.transitionMs),
  };
}

/** What a group of checks adds up to. */
export interface GroupTotals {
  health: HealthState;
  counts: HealthCounts;
  total: number;
  fullyPassing: number;
  notRun: number;
  latencyMs: number | null;
  lastTransition: string | null;
  lastTransitionMs: number | null;
}

/** Of the checks of a group; those that were not run count as such and for nothing else. */
export function totalsOf(entries: readonly Entry[]): GroupTotals {
  const counts = emptyCounts();
  let fullyPassing = 0;
  let notRun = 0;
  let latencyMs = Number.NEGATIVE_INFINITY;
  let last: Entry | null = null;
  for (const entry of entries) {
    counts[entry.health.state] += 1;
    if (entry.runs === 'none') notRun += 1;
    else if (entry.runs === 'all passed') fullyPassing += 1;
    if (entry.latencyMs > latencyMs) latencyMs = entry.latencyMs;
    if (entry.transitionMs > (last?.transitionMs ?? Number.NEGATIVE_INFINITY)) last = entry;
  }
  return {
    health: groupHealth(counts),
    counts,
    total: entries.length,
    fullyPassing,
    notRun,
    latencyMs: latencyMs === Number.NEGATIVE_INFINITY ? null : latencyMs,
    lastTransition: last?.check.last_transition_time ?? null,
    lastTransitionMs: last?.transitionMs ?? null,
  };
}

/** The group's uptime is the share of its checks that pass fully, in percent. */
export function groupMeasures(totals: GroupTotals): Measures {
  return {
    health: RANK[totals.health],
    uptime: totals.total === totals.notRun ? null : (totals.fullyPassing / totals.total) * 100,
    latency: totals.latencyMs,
    transition: totals.lastTransitionMs,
  };
}

/** At most this many types and namespaces are named on a group's row. */
const NAMED = 3;

function firstNames(names: Iterable<string>): string[] {
  return [...new Set(names)].toSorted().slice(0, NAMED);
}

/** The words on a group's row: its icon, types and namespaces. */
export function namesOf(entries: readonly Entry[]) {
  return {
    icon: entries.find((entry) => entry.check.icon !== null)?.check.icon ?? null,
    types: firstNames(entries.map((entry) => entry.check.type)),
    namespaces: firstNames(entries.map((entry) => tabKey(entry.check, 'namespace'))),
  };
}
