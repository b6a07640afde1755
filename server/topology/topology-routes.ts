/** `GET /canary/api/topology` (contract §5, schema §6.4), and building one now (schema §6.2). */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import type { Expressions } from '../platform/expressions/expression-thread.ts';
import { authorize } from '../access/policies/refuse-unless.ts';
import { readComponents } from './store/components-query.ts';
import { createTopologyCache } from './topology-cache.ts';
import { readTopology } from './read-topology.ts';
import { parse } from '../platform/http/parse.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import { componentMark } from './jobs/roll-up-query.ts';
import { createStatusExpressions } from './jobs/status-expressions.ts';
import type { TopologyService } from './topology-service.ts';
import { topologyRequestSchema } from './topology-request.ts';

const idSchema = z.object({ id: z.string() });
/** A run talks to other people's services; per signed-in address this is plenty. */
const RUNS_PER_MINUTE = 30;

/** `/api/canary/run/topology/:id`: answers when it is built, with what was left out. */
export function registerTopologyRunRoutes(
  app: FastifyInstance,
  context: RouteContext<{ topologies: Pick<TopologyService, 'runNow'> }>,
): void {
  const config = { rateLimit: { max: RUNS_PER_MINUTE, timeWindow: '1 minute' } };

  app.post('/api/canary/run/topology/:id', { config }, async (request) => {
    authorize(await context.authenticate(request), 'canaries', 'create');
    const { id } = parse(idSchema, request.params);
    const isId = z.guid().safeParse(id).success;
    const result = isId ? await context.backend().topologies.runNow(id) : 'unknown';
    switch (result) {
      case 'unknown':
        throw new AppError('not_found', `topology ${id} not found`);
      case 'busy':
        throw new AppError('conflict', `topology ${id} is being built already`);
      case 'refused':
        throw new AppError(
          'invalid',
          `topology ${id} can't be built: its specification is refused; its job history says why`,
        );
      default:
        return result;
    }
  });
}

/** `/api/canary/api/topology`. */
export function registerTopologyRoutes(
  app: FastifyInstance,
  context: RouteContext,
  expressions: Expressions,
): void {
  const cache = createTopologyCache(context.platform);
  app.get('/api/canary/api/topology', async (request, reply) => {
    const principal = await context.authenticate(request);
    authorize(principal, 'canaries', 'read');
    const { noCache, 'no-cache': isUncached, ...question } = parse(topologyRequestSchema, request.query);
    const judge = createStatusExpressions(expressions, (component, reason) =>
      request.log.warn({ reason, component: component.id }, 'an expression of a component fails'),
    );
    const db = context.callerDatabase(request);
    const asked = {
      question: JSON.stringify(question),
      mark: await componentMark(db),
      isFresh: noCache || isUncached,
    };
    const text = await cache.answer(asked, async () =>
      JSON.stringify(await readTopology(await readComponents(db), question, judge)),
    );
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
