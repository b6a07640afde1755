/**
 * Builds the HTTP server from its parts; opens no port. Order matters: headers first, so that every answer
 * carries them; then the guard against other sites; then limits; then routes, each of which reads as a list.
 */
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import type { IncomingMessage } from 'node:http';
import { constants } from 'node:zlib';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { apiAddress } from '../http/api-paths.ts';
import { createAuthenticate } from '../access/authenticate.ts';
import { registerWhoamiRoutes } from '../access/identity/routes/whoami-routes.ts';
import { proxyApi } from '../http/backend-proxy.ts';
import { addOrganizationProxy } from '../access/hosted/organization-proxy.ts';
import { registerHostedRoutes } from '../access/hosted/hosted-routes.ts';
import { registerGraphRoutes } from '../health/routes/graph-routes.ts';
import { registerAboutRoutes, registerRunRoutes } from '../health/routes/run-routes.ts';
import { registerSummaryRoutes } from '../health/routes/summary-routes.ts';
import { registerDataRoutes } from '../replication/data-api/routes/data-routes.ts';
import { addErrorAnswers, badUrlAnswer } from '../http/error-answers.ts';
import { registerFlowRoutes } from '../access/identity/routes/flow-routes.ts';
import { registerSessionRoutes } from '../access/identity/routes/session-routes.ts';
import { registerTokenRoutes } from '../access/identity/routes/token-routes.ts';
import { deepJsonRefusal } from '../platform/http/json-depth.ts';
import { registerOperatorRoutes } from './operator-routes.ts';
import { registerPageRedirects } from '../http/page-redirects.ts';
import { addPublicSite } from '../platform/http/public-site.ts';
import { registerPropertiesRoutes } from '../properties/properties-routes.ts';
import { DEFAULT_TRUSTED_PROXIES } from '../platform/settings/settings.ts';
import { directOrigins } from '../platform/settings/hosted-settings.ts';
import { addCors } from '../http/cors.ts';
import { registerPushRoutes } from '../notifications/push/push-routes.ts';
import { followRequests } from '../access/request/request-caller.ts';
import { registerResourceRoutes } from './resource-routes.ts';
import type { AppDeps, RouteContext } from '../access/request/route-context.ts';
import { registerSearchRoutes } from '../catalog/routes/search-routes.ts';
import { addSameOriginGuard } from '../http/same-origin-guard.ts';
import { addSecurityHeaders } from '../http/security-headers.ts';
import { serveApp } from '../http/static-app.ts';
import { registerCommandRoutes } from '../replication/commands/commands-routes.ts';
import { registerSyncRoutes } from '../replication/change-log/sync-routes.ts';
import { registerHealthRoutes } from '../http/system/health-routes.ts';
import { registerMetricsRoutes } from '../http/system/metrics-routes.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** Slow senders are cut off; answers may take as long as they need. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Node looks for slow senders only this often, and every 30 s unless told otherwise. */
const LOOK_FOR_SLOW_MS = 1000;
/** Below this, compressing costs more than it saves. */
const COMPRESS_FROM_BYTES = 1024;
/** Brotli's default of 11 takes seconds on a large answer; 4 is about as fast as gzip and smaller. */
const BROTLI_QUALITY = 4;

/** In front of another backend, paths are that backend's business. */
function addressOf({ url = '/', headers }: IncomingMessage, settings: AppDeps['settings']): string {
  if (settings.backendUrl !== null) return url;
  return apiAddress({ url, accept: headers.accept ?? '', isChecksOnly: settings.isChecksOnly });
}

function createServer(deps: AppDeps): FastifyInstance {
  const logger: FastifyBaseLogger = deps.logger;
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = deps;
  return Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: requestTimeoutMs,
    http: { connectionsCheckingInterval: LOOK_FOR_SLOW_MS, headersTimeout: requestTimeoutMs },
    // Only these are believed about who asked and how.
    trustProxy: deps.settings.trustedProxies ?? [...DEFAULT_TRUSTED_PROXIES],
    forceCloseConnections: 'idle',
    frameworkErrors: badUrlAnswer(deps.settings.publicUrl),
    rewriteUrl: (request: IncomingMessage) => addressOf(request, deps.settings),
  });
}

/** JSON is the only body; an empty one is none, because HTTP clients send the type without a body. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    const refusal = deepJsonRefusal(text);
    if (refusal !== null) done(refusal);
    else if (text === '') done(null, undefined);
    else void parseJson(request, text, done);
  });
}

async function addPlugins(app: FastifyInstance): Promise<void> {
  await app.register(cookie);
  await app.register(compress, {
    threshold: COMPRESS_FROM_BYTES,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    globalDecompression: false,
  });
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: () => new AppError('rate_limited', 'Too many requests. Please wait a moment.'),
  });
}

function registerApi(app: FastifyInstance, context: RouteContext): void {
  registerWhoamiRoutes(app, context);
  registerSummaryRoutes(app, context);
  registerGraphRoutes(app, context);
  registerAboutRoutes(app, context);
  registerPropertiesRoutes(app, context);
  registerSyncRoutes(app, context);
  // A health-only deployment shows health and nothing else.
  if (context.settings.isChecksOnly) return;
  registerRunRoutes(app, context);
  registerDataRoutes(app, context);
  registerSearchRoutes(app, context);
  registerOperatorRoutes(app, context);
  registerResourceRoutes(app, context);
  registerCommandRoutes(app, context);
  registerPushRoutes(app, context);
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
  const context: RouteContext = {
    ...deps,
    hasClusterProxy: deps.hasClusterProxy ?? false,
    backend,
    ...followRequests(app, authenticate, () => backend().db),
  };

  addPublicSite(app, deps.settings.publicUrl);
  addErrorAnswers(app);
  addSecurityHeaders(app, directOrigins(deps.settings.hosted?.organizations ?? []));
  addCors(app, deps.settings.corsOrigins ?? []);
  addSameOriginGuard(app, { isAnyBodyAllowed: backendUrl !== null });
  await addPlugins(app);
  app.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime);
    request.log.debug({ req: request, status: reply.statusCode, ms }, 'answered');
  });

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
