/**
 * What components come to (schema §6.5), from themselves and from what was summed up under them. Components that reach
 * each other form a circle, which is one thing: each of them is as ill as the worst of the circle, and has the levels
 * and findings of all of them once. So no result depends on where a walk begins. One component in no circle is a circle
 * of one.
 */
import type { Component, ComponentSummary, RolledUp } from './component.ts';
import { badnessOf, ownBadness, ownLevel, statusOf, wordOf, type Badness } from './own-state.ts';
import {
  addAll,
  addByType,
  addCounts,
  LEVELS,
  NO_TALLY,
  summaryOf,
  type Level,
  type Tally,
} from './tally.ts';

export type Levels = Record<Level, number>;

/** What a component's own expressions say; null where it has none or they fail. */
export interface Verdict {
  health: string | null;
  status: string | null;
}

/** Asked only for components that have expressions. */
export type VerdictOf = (component: Component, summary: ComponentSummary) => Verdict;

/** What a component gives to those it is under. */
export interface Given {
  levels: Levels;
  tally: ReadonlyMap<string, number>;
  badness: Badness;
}

/** What the children outside its circle gave to a component. */
export interface Received {
  children: number;
  levels: Levels;
  /** Null while nothing was found under it, as under most. */
  tally: Tally | null;
  unhealthy: number;
  warning: number;
}

export interface Member {
  component: Component;
  received: Received;
}

export interface Judged extends Given {
  health: string;
  status: string;
  isHealthSaid: boolean;
  /** What is shown of it; most are never looked at, so it is written when it is asked for. */
  rolled: () => RolledUp;
}

const NO_VERDICT: Verdict = { health: null, status: null };
const noLevels = (): Levels => ({ healthy: 0, unhealthy: 0, warning: 0, info: 0 });

/** Of a component that nothing is under. */
export const nothingReceived = (): Received => ({
  children: 0,
  levels: noLevels(),
  tally: null,
  unhealthy: 0,
  warning: 0,
});

/** What one child adds to its parent's levels: one for itself, and what is not plainly good or bad under it. */
function addChildLevels(to: Levels, { healthy, unhealthy, warning, info }: Levels, sign: 1 | -1): void {
  if (healthy > 0 && unhealthy > 0) to.warning += sign;
  else if (unhealthy > 0) to.unhealthy += sign;
  else if (healthy > 0) to.healthy += sign;
  to.warning += sign * warning;
  to.info += sign * info;
}

/** Adds what a child gives, or takes back what it gave (`sign` -1). */
export function receive(received: Received, given: Given, sign: 1 | -1): void {
  received.children += sign;
  addChildLevels(received.levels, given.levels, sign);
  if (given.tally.size > 0) {
    received.tally ??= new Map();
    addAll(received.tally, given.tally, sign);
  }
  if (given.badness === 2) received.unhealthy += sign;
  if (given.badness === 1) received.warning += sign;
}

/** What it counts where nothing is under it: what it was given, else one for itself. */
function ownLevels(component: Component): Levels {
  const levels = noLevels();
  const given = component.own_summary ?? null;
  const own = given === null ? ownLevel(component) : undefined;
  if (own !== undefined) levels[own] = 1;
  if (given !== null) for (const level of LEVELS) levels[level] = given[level] ?? 0;
  return levels;
}

/** Levels and findings without the rest of its circle. */
function baseOf({ component, received }: Member): Pick<Given, 'levels' | 'tally'> {
  const levels = received.children === 0 ? ownLevels(component) : { ...received.levels };
  const { incidents, analysis, checks } = component;
  const hasOwn = incidents !== null || analysis !== null || checks !== null;
  if (!hasOwn && (received.tally?.size ?? 0) === 0) return { levels, tally: NO_TALLY };
  const tally: Tally = new Map(received.tally);
  addByType(tally, 'incidents', incidents);
  addByType(tally, 'insights', analysis);
  addCounts(tally, 'checks', checks);
  return { levels, tally };
}

/** The worst of its own health and of its children's outside its circle. */
function badnessWithoutCircle({ component, received }: Member): Badness {
  if (received.unhealthy > 0) return 2;
  const own = ownBadness(component);
  return own === 0 && received.warning > 0 ? 1 : own;
}

/** What a component or a circle sums up to, with its summary written once. */
function sumsOf({ levels, tally }: Pick<Given, 'levels' | 'tally'>) {
  let written: ComponentSummary | undefined;
  return { levels, tally, summary: () => (written ??= summaryOf(levels, tally)) };
}
type Sums = ReturnType<typeof sumsOf>;

function verdictFor(component: Component, sums: Sums, verdictOf: VerdictOf): Verdict {
  const hasExpressions = Boolean(component.health_expr) || Boolean(component.status_expr);
  return hasExpressions ? verdictOf(component, sums.summary()) : NO_VERDICT;
}

function finish(component: Component, sums: Sums, state: { verdict: Verdict; inherited: Badness }): Judged {
  const { verdict, inherited } = state;
  const health = verdict.health ?? wordOf(inherited);
  const status = verdict.status ?? statusOf(component, sums.levels, health);
  const isHealthSaid = verdict.health !== null;
  return {
    levels: sums.levels,
    tally: sums.tally,
    badness: badnessOf(health),
    health,
    status,
    isHealthSaid,
    rolled: () => ({ summary: sums.summary(), health, status, isHealthSaid }),
  };
}

/** One component in no circle. */
function judgeOne(member: Member, verdictOf: VerdictOf): Judged {
  const sums = sumsOf(baseOf(member));
  const verdict = verdictFor(member.component, sums, verdictOf);
  return finish(member.component, sums, { verdict, inherited: badnessWithoutCircle(member) });
}

/** The members of a circle, in their order. */
export function judgeCircle(members: readonly Member[], verdictOf: VerdictOf): Judged[] {
  const [only] = members;
  if (only !== undefined && members.length === 1) return [judgeOne(only, verdictOf)];
  const levels = noLevels();
  const tally: Tally = new Map();
  for (const member of members) {
    const base = baseOf(member);
    addChildLevels(levels, base.levels, 1);
    addAll(tally, base.tally);
  }
  const sums = sumsOf({ levels, tally });
  const drafts = members.map((member) => {
    const verdict = verdictFor(member.component, sums, verdictOf);
    const own = verdict.health === null ? badnessWithoutCircle(member) : badnessOf(verdict.health);
    return { component: member.component, verdict, own };
  });
  const inherited = drafts.reduce<Badness>((found, { own }) => (own > found ? own : found), 0);
  return drafts.map(({ component, verdict }) => finish(component, sums, { verdict, inherited }));
}

/** Whether it gives and shows the same as before. */
export function isSameJudged(a: Judged, b: Judged): boolean {
  if (a.health !== b.health || a.status !== b.status || a.isHealthSaid !== b.isHealthSaid) return false;
  if (LEVELS.some((level) => a.levels[level] !== b.levels[level]) || a.tally.size !== b.tally.size)
    return false;
  for (const [key, count] of a.tally) if (b.tally.get(key) !== count) return false;
  return true;
}
