/** The routes by which people run the product itself: silences, walls, tablets, agents, users, connections, documents. */
import type { FastifyInstance } from 'fastify';
import { registerAgentRoutes } from '../agents/agent-routes.ts';
import { registerUpstreamRoutes } from '../agents/upstream/upstream-routes.ts';
import { createAgentChannels } from '../agents/channel/agent-channels.ts';
import { registerChannelRoutes } from '../agents/channel/channel-routes.ts';
import { registerProxyRoutes } from '../agents/cluster-proxy/proxy-routes.ts';
import { registerKubeconfigRoutes } from '../agents/cluster-proxy/kubeconfig-routes.ts';
import { registerChartRoutes } from '../integrations/chart-routes.ts';
import { registerConnectionRoutes } from '../connections/connection-routes.ts';
import { testByCheck } from '../health/connection-tests.ts';
import { isNotificationType, testService } from '../notifications/senders/test-service.ts';
import { registerRetryRoutes } from '../notifications/delivery/retry-routes.ts';
import { registerSilenceRoutes } from '../notifications/silences/silence-routes.ts';
import { registerUserRoutes } from '../access/people/user-routes.ts';
import { registerTabletRoutes } from '../tablets/tablet-routes.ts';
import { registerWallRoutes } from '../walls/wall-routes.ts';
import { registerEventRoutes } from './system/event-routes.ts';
import { registerSchemaRoutes } from './schemas/schema-routes.ts';
import type { AppContext } from './backend.ts';

/** The routes by which people run the installation: silences, agents, users, connections. */
export function registerOperatorRoutes(app: FastifyInstance, context: AppContext): void {
  registerSilenceRoutes(app, context);
  registerRetryRoutes(app, context);
  registerWallRoutes(app, context);
  registerTabletRoutes(app, context);
  registerAgentRoutes(app, context);
  registerUpstreamRoutes(app, context);
  registerKubeconfigRoutes(app, context);
  const channels = createAgentChannels(context);
  registerChannelRoutes(app, context, channels);
  registerProxyRoutes(app, { ...context, channels });
  registerUserRoutes(app, context);
  registerSchemaRoutes(app, context);
  registerChartRoutes(app, context);
  registerEventRoutes(app, context);
  registerConnectionRoutes(app, context, { testByCheck, isNotificationType, testService });
}
