/**
 * `/api/kubeproxy/*`: a person's tools reach clusters through this server (schema §3.2, docs/security.md). Invariants:
 * only a token of a kubeconfig comes in, never a browser's session; the cluster judges the call as the person's, by
 * impersonation; the rights here are judged again while a call goes on.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, errorFacts } from '../../../src/contract/errors.ts';
import type { ObjectAction } from '../../../src/domain/access/objects.ts';
import type { Principal } from '../../access/identity/sessions/principal.ts';
import { authorize } from '../../access/policies/refuse-unless.ts';
import type { RouteContext } from '../../access/request/route-context.ts';
import type { UpgradedConnection } from '../../platform/http/upgraded-connection.ts';
import { MESSAGES } from '../messages.ts';
import { clusterPath, PROXY_PATH } from './cluster-path.ts';
import { listClusters } from './cluster-query.ts';
import type { ClusterName } from './cluster-query.ts';
import { openClusterCall } from './open-cluster-call.ts';
import type { ClusterParts } from './open-cluster-call.ts';
import { passUpgrade } from './pass-upgrade.ts';
import { headersFromCluster, personAtCluster } from './proxied-headers.ts';

type ProxyContext = RouteContext<ClusterParts>;

const ACTION_OF: Readonly<Record<string, ObjectAction>> = {
  GET: 'read',
  HEAD: 'read',
  OPTIONS: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};
/** More than any object of a cluster may have. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const JUDGED_EVERY_MS = 30_000;
const UNAUTHORIZED = 401;
const STATUS: Readonly<Record<string, number>> = {
  unauthorized: UNAUTHORIZED,
  forbidden: 403,
  not_found: 404,
  invalid: 400,
  rate_limited: 429,
  timeout: 504,
  network: 502,
};

async function personOf(context: ProxyContext, request: FastifyRequest): Promise<Principal> {
  const principal = await context.authenticate(request);
  if (principal.tokenScope !== 'cluster-proxy') throw new AppError('forbidden', MESSAGES.kubeconfigOnly);
  // What runs in a pod by WebSocket begins with a GET, and reads nothing alone.
  const action = request.upgraded === null ? (ACTION_OF[request.method] ?? 'update') : 'create';
  authorize(principal, 'kubernetes-proxy', action);
  return principal;
}

function chosen(clusters: readonly ClusterName[], wanted: string | null): ClusterName {
  const found = wanted === null ? clusters[0] : clusters.find(({ name }) => name === wanted);
  if (found !== undefined && (wanted !== null || clusters.length === 1)) return found;
  const names = clusters.map(({ name }) => name).join(', ');
  throw new AppError(
    'not_found',
    wanted === null ? MESSAGES.whichCluster(names) : MESSAGES.noCluster(wanted, names),
  );
}

/** Ends the call once the one who asked may do it no longer. */
async function judge(context: ProxyContext, request: FastifyRequest, call: AbortController): Promise<void> {
  while (!call.signal.aborted) {
    await context.platform.sleep(JUDGED_EVERY_MS, call.signal);
    if (call.signal.aborted) return;
    try {
      await personOf(context, request);
    } catch (error) {
      context.logger.info(
        { code: errorFacts(error).code, path: request.url },
        'a call to a cluster was ended',
      );
      call.abort();
    }
  }
}

interface Proxied {
  request: FastifyRequest;
  reply: FastifyReply;
  mount: string;
  upgraded: UpgradedConnection | null;
}

/** The cluster's answer as it comes; what it says of its own sign-in is this server's trouble, not the person's. */
async function passAnswer(answer: IncomingMessage, { reply, mount }: Proxied): Promise<void> {
  const { statusCode = 0 } = answer;
  if (statusCode === UNAUTHORIZED) {
    answer.resume();
    throw new AppError('network', MESSAGES.clusterRefused);
  }
  reply.hijack();
  reply.raw.writeHead(statusCode, headersFromCluster(answer.headers, { mount, isUpgrade: false }));
  // A watch may have nothing to say for long.
  reply.raw.flushHeaders();
  await pipeline(answer, reply.raw);
}

async function passOn(context: ProxyContext, proxied: Proxied, principal: Principal): Promise<void> {
  const { request, upgraded } = proxied;
  const { cluster: wanted, path } = clusterPath(request.url);
  const parts = context.backend();
  const cluster = chosen(await listClusters(parts.db), wanted);
  const call = new AbortController();
  const [stop, { method }] = [() => call.abort(), request];
  context.closed(request).addEventListener('abort', stop, { once: true });
  upgraded?.socket.once('close', stop);
  const level = method === 'GET' && upgraded === null ? 'debug' : 'info';
  const said = { person: principal.personId, cluster: cluster.name, method, path: path.split('?')[0] };
  context.logger[level]({ ...said, isUpgrade: upgraded !== null }, 'a call to a cluster');
  void judge(context, request, call);
  try {
    const sent = await openClusterCall(parts, {
      id: cluster.id,
      method,
      path,
      headers: request.headers,
      person: personAtCluster(principal),
      isUpgrade: upgraded !== null,
      signal: call.signal,
    });
    const answered = new Promise<IncomingMessage | null>((resolve, reject) => {
      sent.once('response', resolve);
      sent.once('error', reject);
      if (upgraded !== null)
        sent.once('upgrade', (answer, socket, head) => {
          resolve(null);
          const person = { upgraded, reply: proxied.reply, signal: call.signal };
          void passUpgrade({ answer, socket, head }, person).finally(stop);
        });
    });
    // Its failure is that of the request.
    const body = request.body as Readable | undefined;
    if (body === undefined || upgraded !== null) sent.end();
    else pipeline(body, sent).catch(() => undefined);
    const answer = await answered;
    if (answer === null) return;
    await passAnswer(answer, proxied);
    stop();
  } catch (error) {
    stop();
    throw error;
  }
}

/** As Kubernetes says it, so that its tools show the sentence. */
function statusOf(error: unknown): { code: number; body: object } {
  const isOurs = error instanceof AppError;
  const facts = errorFacts(error);
  const code = isOurs ? (STATUS[facts.code] ?? 500) : 502;
  const message = isOurs ? error.message : MESSAGES.clusterSilent;
  return { code, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code } };
}

/** `/api/kubeproxy/*` */
export function registerProxyRoutes(app: FastifyInstance, context: ProxyContext): void {
  void app.register(async (scope) => {
    // Bodies go on as they come, whatever they are.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => {
      const { code, body } = statusOf(error);
      if (code >= 500) context.logger.warn({ err: error, path: request.url }, 'a call to a cluster failed');
      if (!reply.sent)
        return reply.code(code).send({ ...body, error: (body as { message: string }).message });
      reply.raw.destroy();
    });
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: `${PROXY_PATH}/*`,
      bodyLimit: MAX_BODY_BYTES,
      config: { takesAnyBody: true },
      compress: false,
      onRequest: async (request) => {
        await personOf(context, request);
      },
      handler: async (request, reply) => {
        const principal = await personOf(context, request);
        const { mount } = clusterPath(request.url);
        await passOn(context, { request, reply, mount, upgraded: request.upgraded }, principal);
        return reply;
      },
    });
  });
}
