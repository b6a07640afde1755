/** What the own expressions of components say (schema §6.5): over `summary` and `self`. */
import type { Component, ComponentSummary } from '../../../src/domain/topology/component.ts';
import type { StatusExpressions } from '../../../src/domain/topology/roll-up.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { reasonOf } from '../../platform/reason-of.ts';

interface Trial {
  component: Component;
  summary: ComponentSummary;
  expr: string | null;
}

/** Every count is there, so that an expression need not ask whether it is. */
const NO_COUNTS = { healthy: 0, unhealthy: 0, warning: 0, info: 0, checks: {}, incidents: {}, insights: {} };

/** Judges by them; one that fails leaves the roll-up as it is, and is told. */
export function createStatusExpressions(
  expressions: Expressions,
  failed: (component: Component, reason: string) => void,
): StatusExpressions {
  async function verdict({ component, summary, expr }: Trial): Promise<string | null> {
    if (expr === null || expr === '') return null;
    const variables = { summary: { ...NO_COUNTS, ...summary }, self: component };
    try {
      const value = await expressions.evaluate({ expr }, { variables, durationNames: [], lastResult: null });
      return value.text.trim() === '' ? null : value.text.trim();
    } catch (error) {
      failed(component, reasonOf(error));
      return null;
    }
  }
  return async (component, summary) => ({
    health: await verdict({ component, summary, expr: component.health_expr }),
    status: await verdict({ component, summary, expr: component.status_expr }),
  });
}
