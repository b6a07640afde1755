/** What a component says of itself, before anything under it is looked at. */
import type { Component } from './component.ts';
import { LEVELS, type Level } from './tally.ts';

/** How bad a health is among others: what is neither counts as healthy. */
export type Badness = 0 | 1 | 2;
const WORDS = ['healthy', 'warning', 'unhealthy'] as const;

/** By its word. */
export function badnessOf(health: string | null): Badness {
  if (health === 'unhealthy') return 2;
  return health === 'warning' ? 1 : 0;
}

/** The word of a badness. */
export const wordOf = (badness: Badness): string => WORDS[badness];

const hasFailingChecks = ({ checks }: Component) => (checks?.['unhealthy'] ?? 0) > 0;

/** Its own health: what nobody has judged counts by its status, a failing check is ill health. */
export function ownBadness(component: Component): Badness {
  return hasFailingChecks(component) ? 2 : badnessOf(component.health || component.status);
}

/** The level that it counts as where nothing is under it: its status; where it has none, its health or its checks. */
export function ownLevel(component: Component): Level | undefined {
  // Checks that never ran, or are overdue, judge nothing.
  const { healthy = 0, unhealthy = 0 } = component.checks ?? {};
  const isJudgedByChecks = healthy + unhealthy > 0;
  const word =
    component.status || component.health || (isJudgedByChecks ? wordOf(ownBadness(component)) : '');
  return LEVELS.find((level) => level === word);
}

/** Its status as shown: a component without one of its own is as healthy as what is under it, if that is known. */
export function statusOf(
  component: Component,
  levels: Readonly<Record<Level, number>>,
  health: string,
): string {
  if (component.status !== '') return component.status;
  return LEVELS.some((level) => levels[level] > 0) ? health : 'unknown';
}
