/**
 * The HTTP server before it knows any route: its limits, the guard against other sites, headers, compression. Order
 * matters: headers first, so that every answer carries them; then the guard; then limits. Knows no area.
 */
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import type { IncomingMessage } from 'node:http';
import { constants } from 'node:zlib';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { deepJsonRefusal } from '../platform/http/json-depth.ts';
import { unstorableRefusal } from '../platform/http/storable-body.ts';
import { addPublicSite } from '../platform/http/public-site.ts';
import { DEFAULT_TRUSTED_PROXIES } from '../platform/settings/settings.ts';
import { apiAddress } from './api-paths.ts';
import { addCors } from './cors.ts';
import { addErrorAnswers, badUrlAnswer } from './error-answers.ts';
import { addUpgrades, UpgradableMessage } from './proxied-upgrade.ts';
import { addSameOriginGuard } from './same-origin-guard.ts';
import { addSecurityHeaders } from './security-headers.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** Slow senders are cut off; answers may take as long as they need. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Node looks for slow senders only this often, and every 30 s unless told otherwise. */
const LOOK_FOR_SLOW_MS = 1000;
/** Below this, compressing costs more than it saves. */
const COMPRESS_FROM_BYTES = 1024;
/** Brotli's default of 11 takes seconds on a large answer; 5 is a tenth smaller than 4, for a third of a millisecond. */
const BROTLI_QUALITY = 5;

interface HttpSettings {
  /** The backend that /api is passed on to; null when this server answers itself. */
  backendUrl: string | null;
  isChecksOnly: boolean;
  publicUrl: string | null;
  corsOrigins?: string[];
  trustedProxies?: string[];
}

interface HttpDeps {
  settings: HttpSettings;
  logger: FastifyBaseLogger;
  requestTimeoutMs?: number;
}

/** In front of another backend, paths are that backend's business. */
function addressOf({ url = '/', headers }: IncomingMessage, settings: HttpSettings): string {
  if (settings.backendUrl !== null) return url;
  return apiAddress({ url, accept: headers.accept ?? '', isChecksOnly: settings.isChecksOnly });
}

/** The server with its limits; nothing is registered yet. */
export function createServer(deps: HttpDeps): FastifyInstance {
  const { logger, requestTimeoutMs = REQUEST_TIMEOUT_MS } = deps;
  return Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: requestTimeoutMs,
    http: {
      connectionsCheckingInterval: LOOK_FOR_SLOW_MS,
      headersTimeout: requestTimeoutMs,
      IncomingMessage: UpgradableMessage,
    },
    // Only these are believed about who asked and how.
    trustProxy: deps.settings.trustedProxies ?? [...DEFAULT_TRUSTED_PROXIES],
    forceCloseConnections: 'idle',
    frameworkErrors: badUrlAnswer(deps.settings.publicUrl),
    rewriteUrl: (request: IncomingMessage) => addressOf(request, deps.settings),
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Each of the things in its body is refused by itself. */
    takesAnyText?: true;
  }
}

/** JSON is the only body; an empty one is none, because HTTP clients send the type without a body. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    const refusal = deepJsonRefusal(text);
    if (refusal !== null) done(refusal);
    else if (text === '') done(null, undefined);
    else
      void parseJson(request, text, (error, value) => {
        const isTaken = error !== null || request.routeOptions.config.takesAnyText === true;
        const unstorable = isTaken ? null : unstorableRefusal(text, value);
        if (unstorable === null) done(error, value);
        else done(unstorable);
      });
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

/** Puts on what every answer gets and every request passes; `connectOrigins` are those a page may talk to besides us. */
export async function addPlumbing(
  app: FastifyInstance,
  settings: HttpSettings,
  connectOrigins: readonly string[],
): Promise<void> {
  addUpgrades(app);
  addPublicSite(app, settings.publicUrl);
  addErrorAnswers(app);
  addSecurityHeaders(app, connectOrigins);
  addCors(app, settings.corsOrigins ?? []);
  addSameOriginGuard(app, { isAnyBodyAllowed: settings.backendUrl !== null });
  await addPlugins(app);
  app.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime);
    request.log.debug({ req: request, status: reply.statusCode, ms }, 'answered');
  });
}
