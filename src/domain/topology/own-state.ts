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

const levelOf = (word: string | null) => LEVELS.find((level) => level === word);

/**
 * The level that it counts as where nothing is under it: its status, if that is one ("Running" is none), else its
 * health, else what its checks say.
 */
export function ownLevel(component: Component): Level | undefined {
  const given = levelOf(component.status) ?? levelOf(component.health);
  if (given !== undefined) return given;
  // Checks that never ran, or are overdue, judge nothing.
  const { healthy = 0, unhealthy = 0 } = component.checks ?? {};
  return healthy + unhealthy > 0 ? levelOf(wordOf(ownBadness(component))) : undefined;
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
