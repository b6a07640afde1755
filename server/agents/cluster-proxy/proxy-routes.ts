/**
 * `/api/kubeproxy/*`: a person's tools reach clusters through this server (schema §3.2, docs/security.md). Invariants:
 * only a token of a kubeconfig comes in, never a browser's session; the cluster judges the call as the person's, by
 * impersonation; the rights here are judged again while a call goes on.
 */
import type { OutgoingHttpHeaders } from 'node:http';
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
import type { AgentChannels } from '../channel/agent-channels.ts';
import { findLine } from '../channel/channel-query.ts';
import { askAgent, findLineEnd } from './ask-agent.ts';
import { askConnection } from './ask-connection.ts';
import type { ClusterParts } from './ask-connection.ts';
import { askPeer, type PeerParts } from './ask-peer.ts';
import { createPeerCalls } from './peer-call.ts';
import { clusterPath, PROXY_PATH } from './cluster-path.ts';
import type { NamedCluster } from './cluster-path.ts';
import { listClusters } from './cluster-query.ts';
import type { KnownCluster } from './cluster-query.ts';
import { passUpgrade } from './pass-upgrade.ts';
import { headersFromCluster, personAtCluster } from './proxied-headers.ts';
import type { ClusterAnswer, ClusterCall } from './send-to-cluster.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

interface ProxyContext extends RouteContext<ClusterParts & Pick<PeerParts, 'db' | 'outside'>> {
  channels: AgentChannels;
}

const ACTION_OF = lookupTable<ObjectAction>({
  GET: 'read',
  HEAD: 'read',
  OPTIONS: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
});
/** More than any object of a cluster may have. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const JUDGED_EVERY_MS = 30_000;
const UNAUTHORIZED = 401;
const UNAVAILABLE = 503;
const STATUS = lookupTable<number>({
  unauthorized: UNAUTHORIZED,
  forbidden: 403,
  not_found: 404,
  invalid: 400,
  rate_limited: 429,
  timeout: 504,
  network: 502,
});

/** Its redirects lead here already. */
const OF_PEER = { mount: '', isUpgrade: false };

async function personOf(context: ProxyContext, request: FastifyRequest): Promise<Principal> {
  const principal = await context.authenticate(request);
  if (principal.tokenScope !== 'cluster-proxy') throw new AppError('forbidden', MESSAGES.kubeconfigOnly);
  // What runs in a pod by WebSocket begins with a GET, and reads nothing alone.
  const action = request.upgraded === null ? (ACTION_OF[request.method] ?? 'update') : 'create';
  authorize(principal, 'kubernetes-proxy', action);
  return principal;
}

function chosen(clusters: readonly KnownCluster[], wanted: NamedCluster | null): KnownCluster {
  const found =
    wanted === null
      ? clusters[0]
      : clusters.find(({ kind, name }) => kind === wanted.kind && name === wanted.name);
  if (found !== undefined && (wanted !== null || clusters.length === 1)) return found;
  const named = clusters.filter(({ kind }) => wanted === null || kind === wanted.kind);
  const names = named.map(({ name }) => name).join(', ');
  if (wanted === null) throw new AppError('not_found', MESSAGES.whichCluster(names));
  const text = wanted.kind === 'agent' ? MESSAGES.noAgentCluster : MESSAGES.noCluster;
  throw new AppError('not_found', text(wanted.name, names));
}

/** An agent that never offered its cluster is asked for it, too: what it lacks is told. */
async function clusterOf(context: ProxyContext, wanted: NamedCluster | null): Promise<KnownCluster> {
  const { db } = context.backend();
  const clusters = await listClusters(db);
  const line = wanted?.kind === 'agent' ? await findLine(db, wanted.name, new Date(0)) : null;
  return line === null ? chosen(clusters, wanted) : { kind: 'agent', id: line.id, name: line.name };
}

interface Asked {
  call: ClusterCall;
  body: Readable | undefined;
}

/** `isPeers`: the answer is that of another server of ours, as it would be here. */
async function ask(
  context: ProxyContext,
  { cluster, isPassedOn }: Proxied,
  asked: Asked,
): Promise<{ answer: ClusterAnswer; isPeers: boolean }> {
  const parts = context.backend();
  if (cluster.kind === 'connection')
    return { answer: await askConnection(parts, { id: cluster.id, ...asked }), isPeers: false };
  const { channels, platform } = context;
  const { name } = cluster;
  const end = await findLineEnd({ db: parts.db, channels, nowMs: platform.now() }, { name, isPassedOn });
  return end.kind === 'here'
    ? { answer: await askAgent(end, asked), isPeers: false }
    : { answer: await askPeer({ ...parts, platform }, end.peer, asked), isPeers: true };
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
  cluster: KnownCluster;
  upgraded: UpgradedConnection | null;
  /** By another server of this database. */
  isPassedOn: boolean;
}

/** The cluster's answer as it comes; what it says of its own sign-in is this server's trouble, not the person's. */
async function passAnswer(
  { statusCode, headers, body }: Extract<ClusterAnswer, { kind: 'answer' }>,
  { reply, mount, cluster }: Proxied,
): Promise<void> {
  if (statusCode === UNAUTHORIZED) {
    body.resume();
    throw new AppError(
      'network',
      cluster.kind === 'agent' ? MESSAGES.agentRefused(cluster.name) : MESSAGES.clusterRefused,
    );
  }
  await passWhole(
    { statusCode, body, headers: headersFromCluster(headers, { mount, isUpgrade: false }) },
    reply,
  );
}

interface WholeAnswer {
  statusCode: number;
  headers: OutgoingHttpHeaders;
  body: Readable;
}

async function passWhole({ statusCode, headers, body }: WholeAnswer, reply: FastifyReply): Promise<void> {
  reply.hijack();
  reply.raw.writeHead(statusCode, headers);
  // A watch may have nothing to say for long.
  reply.raw.flushHeaders();
  await pipeline(body, reply.raw);
}

/** In the log, who did what at which cluster. */
function note({ logger }: ProxyContext, { request, cluster, upgraded }: Proxied, said: object): void {
  const { method } = request;
  const level = method === 'GET' && upgraded === null ? 'debug' : 'info';
  const at = { cluster: cluster.name, through: cluster.kind, method };
  logger[level]({ ...at, ...said, isUpgrade: upgraded !== null }, 'a call to a cluster');
}

async function passOn(context: ProxyContext, proxied: Proxied, principal: Principal): Promise<void> {
  const { request, reply, upgraded } = proxied;
  const { path } = clusterPath(request.url);
  const call = new AbortController();
  const stop = () => call.abort();
  context.closed(request).addEventListener('abort', stop, { once: true });
  upgraded?.socket.once('close', stop);
  note(context, proxied, { person: principal.personId, path: path.split('?')[0] });
  void judge(context, request, call);
  try {
    const body = upgraded === null ? (request.body as Readable | undefined) : undefined;
    const { answer, isPeers } = await ask(context, proxied, {
      call: {
        method: request.method,
        path,
        headers: request.headers,
        person: personAtCluster(principal),
        isUpgrade: upgraded !== null,
        signal: call.signal,
      },
      body,
    });
    if (answer.kind === 'upgrade' && upgraded !== null) {
      void passUpgrade(answer, { upgraded, reply, signal: call.signal }).finally(stop);
      return;
    }
    if (answer.kind === 'answer' && isPeers)
      await passWhole({ ...answer, headers: headersFromCluster(answer.headers, OF_PEER) }, reply);
    else if (answer.kind === 'answer') await passAnswer(answer, proxied);
    stop();
  } catch (error) {
    stop();
    throw error;
  }
}

/** As Kubernetes says it, so that its tools show the sentence. */
function statusOf(error: unknown): { code: number; body: { message: string } } {
  const isOurs = error instanceof AppError;
  const facts = errorFacts(error);
  const code = isOurs ? (error.status ?? STATUS[facts.code] ?? 500) : 502;
  const message = isOurs ? error.message : MESSAGES.clusterSilent;
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code };
  return { code, body };
}

/** kubectl shows such a header whatever it asked; the sentence of a Status it leaves out where it looks for the API. */
function warningOf(text: string): string {
  const plain = text.replaceAll(/[^ -~]/g, '?').replaceAll(/["\\]/g, String.raw`\$&`);
  return `299 - "${plain}"`;
}

/** `/api/kubeproxy/*` */
export function registerProxyRoutes(app: FastifyInstance, context: ProxyContext): void {
  const passedOn = new WeakSet<FastifyRequest>();
  const peerCalls = createPeerCalls(context.channels.server, context.platform);
  void app.register(async (scope) => {
    // Bodies go on as they come, whatever they are.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => {
      const { code, body } = statusOf(error);
      // An agent that is away is nothing to look into, and tools ask again and again.
      const why = code === UNAVAILABLE ? { reason: body.message } : { err: error };
      if (code >= 500) context.logger.warn({ ...why, path: request.url }, 'a call to a cluster failed');
      if (!reply.sent)
        return reply
          .code(code)
          .header('warning', warningOf(body.message))
          .send({ ...body, error: body.message });
      reply.raw.destroy();
    });
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: `${PROXY_PATH}/*`,
      bodyLimit: MAX_BODY_BYTES,
      config: { takesAnyBody: true },
      compress: false,
      onRequest: async (request) => {
        const { headers, method, url } = request;
        if (peerCalls.admit(context.backend().outside.sealer, { headers, method, url }))
          passedOn.add(request);
        await personOf(context, request);
      },
      handler: async (request, reply) => {
        const principal = await personOf(context, request);
        const { mount, cluster: wanted } = clusterPath(request.url);
        const cluster = await clusterOf(context, wanted);
        const { upgraded } = request;
        const isPassedOn = passedOn.has(request);
        await passOn(context, { request, reply, mount, cluster, upgraded, isPassedOn }, principal);
        return reply;
      },
    });
  });
}
