/**
 * An agent answers calls to its own cluster, which come over its line as streams of HTTP/2. Invariants: a call is for
 * this agent and in the name of a person, else it is refused; the names of people that an upstream server may give begin
 * with `holdfast:`, so that it never acts as one of the cluster's own; whoever goes away leaves nothing open here.
 */
import { constants, createServer } from 'node:http2';
import type {
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  ServerHttp2Session,
  ServerHttp2Stream,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, errorFacts } from '../../../src/contract/errors.ts';
import type { Cluster } from '../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import { joinConnections } from '../../platform/http/join-connections.ts';
import type { Logger } from '../../platform/logger.ts';
import {
  AS_GROUPS,
  AS_USER,
  CHANNEL_SETTINGS,
  FAILURE,
  FAILURE_TEXT,
  FOR_AGENT,
  UPGRADE_TO,
} from '../channel/channel-protocol.ts';
import { refuseDotted } from '../cluster-proxy/cluster-path.ts';
import { headersFromCluster, isPersonsName } from '../cluster-proxy/proxied-headers.ts';
import { sendToCluster } from '../cluster-proxy/send-to-cluster.ts';
import type { ClusterAnswer, ClusterCall } from '../cluster-proxy/send-to-cluster.ts';
import { MESSAGES } from '../messages.ts';

export interface ServedCluster {
  agentName: string;
  guard: EgressGuard;
  /** Opened for each call: what it signs in with changes. */
  open: (signal: AbortSignal) => Promise<Pick<Cluster, 'server' | 'headers' | 'tls'>>;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const BAD_GATEWAY = 502;
const OK = 200;
/** Answers that have no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

const textOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');

/** Throws `forbidden` or `invalid` for what this agent does for nobody. */
function callOf(headers: IncomingHttpHeaders, agentName: string, signal: AbortSignal): ClusterCall {
  const [method, path] = [textOf(headers[':method']), textOf(headers[':path'])];
  const user = textOf(headers[AS_USER]);
  const groups = textOf(headers[AS_GROUPS]).split(',').filter(Boolean);
  const isOurs = textOf(headers[FOR_AGENT]) === encodeURIComponent(agentName);
  if (!isOurs || !METHODS.has(method) || !path.startsWith('/') || ![user, ...groups].every(isPersonsName))
    throw new AppError('forbidden', MESSAGES.notThisCluster);
  refuseDotted(path.split('?')[0] ?? path);
  const upgrade = textOf(headers[UPGRADE_TO]);
  const plain = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
  return {
    method,
    path,
    headers: upgrade === '' ? plain : { ...plain, upgrade },
    person: { user, groups },
    isUpgrade: upgrade !== '',
    signal,
  };
}

/** Headers as HTTP/2 takes them: nothing of one connection. */
function headersOf({ statusCode, headers, kind }: ClusterAnswer): OutgoingHttpHeaders {
  const isUpgrade = kind === 'upgrade';
  const {
    connection: _connection,
    upgrade = '',
    ...passed
  } = headersFromCluster(headers, { mount: '', isUpgrade });
  return isUpgrade
    ? { ...passed, ':status': OK, [UPGRADE_TO]: String(upgrade) }
    : { ...passed, ':status': statusCode };
}

async function pass(answer: ClusterAnswer, stream: ServerHttp2Stream, call: ClusterCall): Promise<void> {
  const isEmpty = call.method === 'HEAD' || EMPTY.has(answer.statusCode);
  stream.respond(headersOf(answer), { endStream: isEmpty });
  if (answer.kind === 'answer') {
    if (!isEmpty) return pipeline(answer.body, stream);
    answer.body.resume();
    return;
  }
  if (answer.head.length > 0) stream.write(answer.head);
  await joinConnections({ one: stream, other: answer.socket, signal: call.signal });
}

async function answer(
  served: ServedCluster,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const { agentName, guard, open, logger } = served;
  const ended = new AbortController();
  stream.once('close', () => ended.abort());
  // What is told by `close`.
  stream.on('error', (error) => logger.debug({ err: error }, 'a call to the cluster was cut'));
  try {
    const call = callOf(headers, agentName, ended.signal);
    const { method, path, isUpgrade, person } = call;
    const level = method === 'GET' && !isUpgrade ? 'debug' : 'info';
    logger[level](
      { user: person.user, method, path: path.split('?')[0], isUpgrade },
      'a call to the cluster',
    );
    const place = { cluster: await open(ended.signal), guard, trust: 'operator' } as const;
    await pass(await sendToCluster(place, call, stream), stream, call);
  } catch (error) {
    if (stream.destroyed || stream.closed) return;
    if (stream.headersSent) return stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    logger.warn({ err: error }, 'a call to the cluster failed');
    const { code } = errorFacts(error);
    const text = error instanceof AppError ? error.message : MESSAGES.clusterSilent;
    const said = {
      [FAILURE]: error instanceof AppError ? code : 'network',
      [FAILURE_TEXT]: encodeURIComponent(text),
    };
    stream.respond({ ':status': BAD_GATEWAY, ...said }, { endStream: true });
  }
}

/** Serves calls on a line; the session, for whoever looks after it. */
export function serveCluster(line: Duplex, served: ServedCluster): Promise<ServerHttp2Session> {
  const server = createServer({ settings: { ...CHANNEL_SETTINGS } });
  server.on('stream', (stream, headers) => void answer(served, stream, headers));
  return new Promise((resolve, reject) => {
    server.once('session', (session) => {
      session.on('error', (error) => served.logger.debug({ err: error }, 'the line was cut'));
      resolve(session);
    });
    line.once('close', () => reject(new AppError('network', MESSAGES.lineBroke)));
    server.emit('connection', line);
  });
}
