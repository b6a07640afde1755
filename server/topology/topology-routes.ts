/** `GET /canary/api/topology` (contract §5, schema §6.4). */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Component, ComponentSummary } from '../../src/domain/topology/component.ts';
import type { StatusExpressions } from '../../src/domain/topology/roll-up.ts';
import type { Expressions } from '../platform/expressions/expression-thread.ts';
import { authorize } from '../access/policies/refuse-unless.ts';
import { readComponents } from './components-query.ts';
import { readTopology } from './read-topology.ts';
import { parse } from '../platform/http/parse.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import { topologyRequestSchema } from './topology-request.ts';

interface Trial {
  component: Component;
  summary: ComponentSummary;
  expr: string | null;
}

/** Judges by the components' own expressions; one that fails leaves the roll-up as it is, and is in the log. */
function createStatusExpressions(expressions: Expressions, logger: FastifyBaseLogger): StatusExpressions {
  async function verdict({ component, summary, expr }: Trial): Promise<string | null> {
    if (expr === null || expr === '') return null;
    const variables = { summary, self: component };
    try {
      const value = await expressions.evaluate({ expr }, { variables, durationNames: [], lastResult: null });
      return value.text.trim() === '' ? null : value.text.trim();
    } catch (error) {
      logger.warn({ err: error, component: component.id }, 'an expression of a component fails');
      return null;
    }
  }
  return async (component, summary) => ({
    health: await verdict({ component, summary, expr: component.health_expr }),
    status: await verdict({ component, summary, expr: component.status_expr }),
  });
}

/** `/api/canary/api/topology`. */
export function registerTopologyRoutes(
  app: FastifyInstance,
  context: RouteContext,
  expressions: Expressions,
): void {
  app.get('/api/canary/api/topology', async (request) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'canaries', 'read');
    const question = parse(topologyRequestSchema, request.query);
    const rows = await readComponents(context.callerDatabase(request));
    return readTopology(rows, question, createStatusExpressions(expressions, request.log));
  });
}
