/**
 * An agent keeps a line open to its upstream server, over which people reach the agent's cluster (docs/agents.md). Only
 * the agent opens connections. Invariants: no line where there is no cluster; the line ends with the agent's role.
 */
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket } from 'ws';
import { AppError, errorFacts } from '../../../src/contract/errors.ts';
import {
  openCluster,
  openClusterOfFile,
  type Cluster,
} from '../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import { pinnedTo } from '../../platform/egress/pinned-to.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import type { OwnCluster, UpstreamSettings } from '../../platform/settings/upstream-settings.ts';
import { CHANNEL_PATH, keepAlive, MAX_MESSAGE_BYTES } from '../channel/channel-protocol.ts';
import { lineSocket } from '../channel/line-socket.ts';
import { MESSAGES } from '../messages.ts';
import { serveCluster } from './serve-cluster.ts';
import { programHeaders, type AgentProgram } from '../programs/agent-program.ts';

const HANDSHAKE_MS = 20_000;
const CONFLICT = 409;
/** Until a program asks again whether the other one is gone. */
const TAKEN_MS = 30_000;
/** Whether this server is still the agent of its database. */
const ROLE_EVERY_MS = 5000;
/** An upstream server that knows no such line may be another one soon; so may what stands between. */
const NOT_OFFERED_MS = 300_000;
/** Not there in servers of other kinds and of older versions. */
const NOT_OFFERED: ReadonlySet<number> = new Set([200, 404, 405, 501]);

interface Line {
  socket: WebSocket;
  stream: Duplex;
}

interface OfferDeps {
  upstream: UpstreamSettings;
  guard: EgressGuard;
  platform: Pick<Platform, 'sleep'>;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
  isAgent: () => boolean;
  program: AgentProgram;
}

const opener =
  ({ kubeconfig, accountRoot }: OwnCluster, guard: EgressGuard) =>
  (signal: AbortSignal): Promise<Cluster> => {
    const secret = () => Promise.resolve('');
    const context = { guard, trust: 'operator', signal, secret, accountRoot } as const;
    return kubeconfig === null ? openCluster(undefined, context) : openClusterOfFile(kubeconfig, context);
  };

/** Null where the agent does not run in a cluster; throws where the kubeconfig that it was given is none. */
async function clusterOf(own: OwnCluster, guard: EgressGuard, signal: AbortSignal) {
  const open = opener(own, guard);
  try {
    await open(signal);
    return open;
  } catch (error) {
    if (own.kubeconfig !== null) throw error;
    return null;
  }
}

/** Null where upstream offers none; throws `conflict` while another program has it. */
async function openLine(
  { upstream, guard, logger, program }: OfferDeps,
  signal: AbortSignal,
): Promise<Line | null> {
  const url = new URL(`${upstream.url}/upstream/${CHANNEL_PATH}`);
  const isTls = url.protocol === 'https:';
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  const target = await guard.check(url.hostname, port, 'operator');
  url.protocol = isTls ? 'wss:' : 'ws:';
  const authorization = `Basic ${Buffer.from(`${upstream.user}:${upstream.password}`).toString('base64')}`;
  const socket = new WebSocket(url, {
    headers: { authorization, ...programHeaders(program) },
    lookup: pinnedTo(target),
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
  });
  // At once: what comes right after the handshake would find nobody.
  const stream = createWebSocketStream(socket);
  stream.on('error', (error) => logger.debug({ err: error }, 'the line to the upstream server was cut'));
  const stop = () => socket.terminate();
  signal.addEventListener('abort', stop, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', stop));
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ socket, stream }));
    socket.on('error', (error) =>
      reject(new AppError('network', `No line to the upstream server: ${error.message}`, { cause: error })),
    );
    socket.once('unexpected-response', (request, { statusCode = 0 }) => {
      request.destroy();
      if (statusCode === CONFLICT) reject(new AppError('conflict', MESSAGES.lineTaken));
      else if (NOT_OFFERED.has(statusCode)) resolve(null);
      else reject(new AppError('network', `No line to the upstream server: it answered ${statusCode}`));
    });
  });
}

/** Ends the line when this server is the agent no longer. */
async function watchRole({ platform, isAgent }: OfferDeps, line: AbortController): Promise<void> {
  while (!line.signal.aborted) {
    await platform.sleep(ROLE_EVERY_MS, line.signal);
    if (!isAgent()) line.abort();
  }
}

/** Keeps the line until it ends; at once back where there is nothing to offer. */
export async function offerCluster(deps: OfferDeps, agentName: string, signal: AbortSignal): Promise<void> {
  const { upstream, guard, platform, logger, isAgent } = deps;
  const { ownCluster } = upstream;
  if (ownCluster === undefined || !isAgent()) return;
  const open = await clusterOf(ownCluster, guard, signal);
  if (open === null) return;
  const line = new AbortController();
  const either = AbortSignal.any([signal, line.signal]);
  const opened = await openLine(deps, either).catch((error: unknown) => {
    if (errorFacts(error).code === 'conflict') return 'taken' as const;
    throw error;
  });
  if (opened === 'taken') {
    logger.warn({ upstream: upstream.url }, MESSAGES.lineTaken);
    await platform.sleep(TAKEN_MS, signal);
    return;
  }
  if (opened === null) {
    logger.info({ upstream: upstream.url }, 'the upstream server takes no line to this cluster');
    await platform.sleep(NOT_OFFERED_MS, signal);
    return;
  }
  const { socket, stream } = opened;
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  void ended.then(() => line.abort());
  const session = await serveCluster(await lineSocket(stream), { agentName, guard, open, logger });
  logger.info(
    { upstream: upstream.url },
    'people reach this cluster through the upstream server; AGENT_CLUSTER=false ends that',
  );
  session.once('close', () => socket.terminate());
  void keepAlive(session, platform);
  void watchRole(deps, line);
  await ended;
}
