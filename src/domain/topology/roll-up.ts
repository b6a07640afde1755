/** The whole roll-up of some components, for who asks once (schema §6.5); who follows changes uses the live one. */
import { childIdsOf, reachableFrom, type ChildIds } from './child-ids.ts';
import type { Component, ComponentSummary, RolledUp } from './component.ts';
import type { Verdict } from './judge-circle.ts';
import { createLiveRollUp } from './live-roll-up.ts';

export { childIdsOf, reachableFrom };
export type { ChildIds };

/** Asks what a component's own expressions say. */
export type StatusExpressions = (component: Component, summary: ComponentSummary) => Promise<Verdict>;

const NO_VERDICT: Verdict = { health: null, status: null };

/** Summary, health and status of every component. Expressions are asked once, those of all components side by side. */
export async function rollUp(
  components: readonly Component[],
  childIds: ChildIds,
  judge: StatusExpressions,
): Promise<Map<string, RolledUp>> {
  // A summary counts what components say of themselves, so it is known before any expression has been asked.
  const summaries = new Map<Component, ComponentSummary>();
  const plain = createLiveRollUp(
    components,
    (component, summary) => {
      summaries.set(component, summary);
      return NO_VERDICT;
    },
    childIds,
  );
  if (summaries.size === 0) return plain.all();
  const asked = [...summaries].map(
    async ([component, summary]) => [component.id, await judge(component, summary)] as const,
  );
  const verdicts = new Map(await Promise.all(asked));
  return createLiveRollUp(components, ({ id }) => verdicts.get(id) ?? NO_VERDICT, childIds).all();
}

/** The words that a status filter finds it by: with good and bad things under it, it is a warning as well. */
export function statusWords({ status, summary }: RolledUp): string[] {
  const isMixed = (summary.healthy ?? 0) > 0 && (summary.unhealthy ?? 0) > 0;
  const hasWarnings = (summary.warning ?? 0) > 0;
  return isMixed || hasWarnings ? [status, 'warning'] : [status];
}
