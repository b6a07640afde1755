import type { useTransitions } from '../../data/queries/use-transitions.ts';

export type Transition = ReturnType<typeof useTransitions>[number];

const HOUR_MS = 3_600_000;

export interface HourOfTransitions {
  /** Start of the hour, ms. */
  startMs: number;
  transitions: Transition[];
  unhealthy: number;
  healthy: number;
}

/** The hour that an instant falls into, in the viewer's zone: zones shifted by half an hour have such hours too. */
function hourOf(atMs: number): number {
  const shiftMs = new Date(atMs).getTimezoneOffset() * 60_000;
  return Math.floor((atMs - shiftMs) / HOUR_MS) * HOUR_MS + shiftMs;
}

/** Changes by the hour, in the order they come in (newest first). */
export function groupByHour(transitions: readonly Transition[]): HourOfTransitions[] {
  const hours = new Map<number, HourOfTransitions>();
  for (const transition of transitions) {
    const startMs = hourOf(Date.parse(transition.at));
    const hour = hours.get(startMs) ?? { startMs, transitions: [], unhealthy: 0, healthy: 0 };
    hour.transitions.push(transition);
    hour[transition.state] += 1;
    hours.set(startMs, hour);
  }
  return [...hours.values()];
}
