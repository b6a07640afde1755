/**
 * Sums up components over their trees (schema §6.5). Each component is judged once, however many parents show it;
 * a circle of selectors is cut where it closes. Knows no expressions: whoever calls judges those.
 */
import type { Component, ComponentSummary, Counts, CountsByType, RolledUp } from './component.ts';

const LEVELS = ['healthy', 'unhealthy', 'warning', 'info'] as const;
type Level = (typeof LEVELS)[number];

/** Ids of the components right under each one. */
export type ChildIds = ReadonlyMap<string, readonly string[]>;

/** Children by parent and by selector, each once, in the order of the rows. */
export function childIdsOf(components: readonly Component[]): ChildIds {
  const known = new Set(components.map(({ id }) => id));
  const children = new Map<string, Set<string>>();
  const add = (parent: string, child: string) => {
    if (!known.has(parent) || !known.has(child) || parent === child) return;
    const under = children.get(parent) ?? new Set();
    children.set(parent, under.add(child));
  };
  for (const { id, parent_id: parent } of components) if (parent !== null) add(parent, id);
  for (const { id, children: related } of components) for (const child of related ?? []) add(id, child);
  return new Map([...children].map(([id, under]) => [id, [...under]]));
}

/** The component itself and everything under it. */
export function reachableFrom(id: string, childIds: ChildIds): Set<string> {
  const reached = new Set([id]);
  // A set that grows while it is walked: each id once.
  for (const next of reached) for (const child of childIds.get(next) ?? []) reached.add(child);
  return reached;
}

function addCounts(a: Counts | undefined, b: Counts | null | undefined): Counts | undefined {
  if (b === null || b === undefined || Object.keys(b).length === 0) return a;
  const keys = new Set([...Object.keys(a ?? {}), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map((key) => [key, (a?.[key] ?? 0) + (b[key] ?? 0)]));
}

function addByType(
  a: CountsByType | undefined,
  b: CountsByType | null | undefined,
): CountsByType | undefined {
  if (b === null || b === undefined || Object.keys(b).length === 0) return a;
  const types = new Set([...Object.keys(a ?? {}), ...Object.keys(b)]);
  return Object.fromEntries([...types].map((type) => [type, addCounts(a?.[type], b[type]) ?? {}]));
}

/** What one child adds to its parent's counts: one for itself, and what is not plainly good or bad under it. */
function levelsOfChild({ summary }: RolledUp): Record<Level, number> {
  const { healthy = 0, unhealthy = 0, warning = 0, info = 0 } = summary;
  const isMixed = healthy > 0 && unhealthy > 0;
  return {
    healthy: healthy > 0 && !isMixed ? 1 : 0,
    unhealthy: unhealthy > 0 && !isMixed ? 1 : 0,
    warning: warning + (isMixed ? 1 : 0),
    info,
  };
}

function summaryOf(component: Component, children: readonly RolledUp[]): ComponentSummary {
  const levels: Record<Level, number> = { healthy: 0, unhealthy: 0, warning: 0, info: 0 };
  const own = LEVELS.find((level) => level === component.status);
  if (children.length === 0 && own !== undefined) levels[own] = 1;
  for (const added of children.map(levelsOfChild)) for (const level of LEVELS) levels[level] += added[level];
  let incidents = addByType(undefined, component.incidents);
  let insights = addByType(undefined, component.analysis);
  let checks = addCounts(undefined, component.checks);
  for (const { summary } of children) {
    incidents = addByType(incidents, summary.incidents);
    insights = addByType(insights, summary.insights);
    checks = addCounts(checks, summary.checks);
  }
  return {
    ...Object.fromEntries(LEVELS.filter((level) => levels[level] > 0).map((level) => [level, levels[level]])),
    ...(incidents === undefined ? {} : { incidents }),
    ...(insights === undefined ? {} : { insights }),
    ...(checks === undefined ? {} : { checks }),
  };
}

/** The worst of its own and its children's; what nobody has judged counts by its status. */
function healthOf(component: Component, children: readonly RolledUp[]): string {
  const own = component.health ?? component.status;
  const all = [own, ...children.map(({ health }) => health)];
  if ((component.checks?.['unhealthy'] ?? 0) > 0 || all.includes('unhealthy')) return 'unhealthy';
  return all.includes('warning') ? 'warning' : 'healthy';
}

/** What a component's own expressions say; null where it has none or they fail. */
export type StatusExpressions = (
  component: Component,
  summary: ComponentSummary,
) => Promise<{ health: string | null; status: string | null }>;

const NO_VERDICT = { health: null, status: null };

/** Summary, health and status of every component, children before parents. */
export async function rollUp(
  components: readonly Component[],
  childIds: ChildIds,
  judge: StatusExpressions,
): Promise<Map<string, RolledUp>> {
  const byId = new Map(components.map((component) => [component.id, component]));
  const done = new Map<string, RolledUp>();
  const open = new Set<string>();

  async function visit(component: Component): Promise<void> {
    open.add(component.id);
    const children: RolledUp[] = [];
    for (const id of childIds.get(component.id) ?? []) {
      const child = byId.get(id);
      if (child === undefined || open.has(id)) continue;
      if (!done.has(id)) await visit(child);
      const rolled = done.get(id);
      if (rolled !== undefined) children.push(rolled);
    }
    open.delete(component.id);
    const summary = summaryOf(component, children);
    const hasExpressions = Boolean(component.health_expr) || Boolean(component.status_expr);
    const verdict = hasExpressions ? await judge(component, summary) : NO_VERDICT;
    done.set(component.id, {
      summary,
      health: verdict.health ?? healthOf(component, children),
      status: verdict.status ?? component.status,
    });
  }

  for (const component of components) if (!done.has(component.id)) await visit(component);
  return done;
}

/** The words that a status filter finds it by: with good and bad things under it, it is a warning as well. */
export function statusWords({ status, summary }: RolledUp): string[] {
  const isMixed = (summary.healthy ?? 0) > 0 && (summary.unhealthy ?? 0) > 0;
  const hasWarnings = (summary.warning ?? 0) > 0;
  return isMixed || hasWarnings ? [status, 'warning'] : [status];
}
