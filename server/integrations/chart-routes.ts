import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { chartKeySchema } from '../../src/contract/http/integration-chart.ts';
import { may } from '../../src/domain/access/matrix.ts';
import { refuseUnless } from '../access/policies/refuse-unless.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import { parse } from '../platform/http/parse.ts';
import type { ChartService } from './chart-service.ts';

const config = { rateLimit: { max: 60, timeWindow: '1 minute' } };
const paramsSchema = z.object({ chart: chartKeySchema });

/** `GET /integrations/charts/{chart}`, an extra: for whoever may add an integration, since it may call the registry. */
export function registerChartRoutes(
  app: FastifyInstance,
  context: RouteContext<{ charts: ChartService }>,
): void {
  app.get('/api/integrations/charts/:chart', { config }, async (request) => {
    const { personId, roles } = await context.authenticate(request);
    refuseUnless(may(roles, 'integrations', 'write'), {
      subject: personId,
      object: 'integrations',
      action: 'read',
    });
    const { chart } = parse(paramsSchema, request.params);
    return context.backend().charts.read(chart);
  });
}
