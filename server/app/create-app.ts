/** Joins the HTTP server with the routes of every area; opens no port. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { listClusters } from '../agents/cluster-proxy/cluster-query.ts';
import { createAuthenticate } from '../access/authenticate.ts';
import { registerWhoamiRoutes } from '../access/identity/routes/whoami-routes.ts';
import { proxyApi } from '../http/backend-proxy.ts';
import { addOrganizationProxy } from '../access/hosted/organization-proxy.ts';
import { registerHostedRoutes } from '../access/hosted/hosted-routes.ts';
import { registerGraphRoutes } from '../health/routes/graph-routes.ts';
import { registerAboutRoutes, registerRunRoutes } from '../health/routes/run-routes.ts';
import { registerCheckWebhookRoutes } from '../health/routes/webhook-routes.ts';
import { registerSummaryRoutes } from '../health/routes/summary-routes.ts';
import { refuseUnreadableSpecs } from '../replication/data-api/routes/spec-guard.ts';
import { refuseLocalProperties } from '../properties/local-property-guard.ts';
import { SPEC_TABLES } from './spec-tables.ts';
import { registerDataRoutes } from '../replication/data-api/routes/data-routes.ts';
import { registerFlowRoutes } from '../access/identity/routes/flow-routes.ts';
import { registerSessionRoutes } from '../access/identity/routes/session-routes.ts';
import { registerTokenRoutes } from '../access/identity/routes/token-routes.ts';
import { registerOperatorRoutes } from './operator-routes.ts';
import { registerPageRedirects } from '../http/page-redirects.ts';
import { registerPropertiesRoutes } from '../properties/properties-routes.ts';
import { directOrigins } from '../platform/settings/hosted-settings.ts';
import { registerReachRoutes } from '../notifications/people/reach-routes.ts';
import { registerPushRoutes } from '../notifications/push/push-routes.ts';
import { followRequests } from '../access/request/request-caller.ts';
import { registerResourceRoutes } from './resource-routes.ts';
import type { AppContext, AppDeps } from './backend.ts';
import { refuseMisplaced } from '../agents/assigned-documents.ts';
import { registerSearchRoutes } from '../catalog/routes/search-routes.ts';
import { acceptJsonOnly, addPlumbing, createServer } from '../http/create-server.ts';
import { serveApp } from '../http/static-app.ts';
import { registerCommandRoutes } from '../replication/commands/commands-routes.ts';
import { registerSyncRoutes } from '../replication/change-log/sync-routes.ts';
import { registerFirstVisitRoutes } from './system/first-visit-routes.ts';
import { registerHealthRoutes } from './system/health-routes.ts';
import { registerMetricsRoutes } from './system/metrics-routes.ts';

function registerApi(app: FastifyInstance, context: AppContext): void {
  // A kubeconfig is offered where there is a cluster that it leads to.
  const hasClusters = async () =>
    !context.settings.isChecksOnly && (await listClusters(context.backend().db)).length > 0;
  registerWhoamiRoutes(app, context);
  registerSummaryRoutes(app, context);
  registerGraphRoutes(app, context);
  registerAboutRoutes(app, context);
  registerPropertiesRoutes(app, context);
  registerSyncRoutes(app, { ...context, hasClusters });
  registerFirstVisitRoutes(app, { ...context, hasClusters });
  // A health-only deployment shows health and nothing else.
  if (context.settings.isChecksOnly) return;
  registerRunRoutes(app, context);
  registerCheckWebhookRoutes(app, context);
  registerDataRoutes(app, context, [
    (asked) => refuseLocalProperties(asked, { ...context, dataApi: context.backend().dataApi }),
    (asked) => refuseUnreadableSpecs(asked, SPEC_TABLES),
    refuseMisplaced,
  ]);
  registerSearchRoutes(app, context);
  registerOperatorRoutes(app, context);
  registerResourceRoutes(app, context);
  registerCommandRoutes(app, context);
  registerPushRoutes(app, context);
  registerReachRoutes(app, context);
  if (context.settings.hosted?.provider) registerHostedRoutes(app, context);
  registerFlowRoutes(app, context);
  registerSessionRoutes(app, context);
  registerTokenRoutes(app, context);
}

/** The server, ready to listen (or to be asked by tests). */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const backend = () => {
    const parts = deps.backend();
    if (parts === null) throw new AppError('server', 'The server is starting', { status: 503 });
    return parts;
  };
  const { backendUrl, isChecksOnly } = deps.settings;
  const app = createServer(deps);
  const authenticate = createAuthenticate(deps.settings, {
    backend,
    onFront: deps.onFront ?? (() => undefined),
  });
  const context: AppContext = {
    ...deps,
    backend,
    ...followRequests(app, authenticate, () => backend().db),
  };

  await addPlumbing(app, deps.settings, directOrigins(deps.settings.hosted?.organizations ?? []));

  registerHealthRoutes(app, deps);
  if (deps.settings.hosted?.provider) await addOrganizationProxy(app, context);
  if (!isChecksOnly) registerPageRedirects(app);
  if (backendUrl === null) {
    acceptJsonOnly(app);
    registerMetricsRoutes(app, { backend: deps.backend, authenticate: context.authenticate });
    registerApi(app, context);
  } else {
    await proxyApi(app, { backendUrl, isChecksOnly });
  }
  await serveApp(app, { appDir: deps.appDir, platform: deps.platform });
  return app;
}
