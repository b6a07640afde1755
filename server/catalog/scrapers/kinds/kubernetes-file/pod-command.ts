/**
 * Runs a command in a container over the WebSocket protocol of a cluster (channels v4 and v5). The real client's
 * own exec is not used: it lets a frame of the server throw outside of any promise and end this process's output.
 * Here every frame is judged, output is bounded, and the connection goes to a judged address only.
 */
import type { Socket } from 'node:net';
import { Agent, buildConnector, WebSocket } from 'undici';
import { AppError } from '../../../../../src/contract/errors.ts';
import { pinnedLookup } from '../../../../platform/egress/egress-http.ts';
import { objectAt, textOf } from '../../health/health.ts';
import type { CallContext } from '../services/service-call.ts';
import type { Cluster } from '../kubernetes/kube-config.ts';

export interface PodTarget {
  namespace: string;
  pod: string;
  container: string | null;
}

const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

function addressOf(
  cluster: Cluster,
  { namespace, pod, container }: PodTarget,
  command: readonly string[],
): URL {
  const [space, name] = [namespace, pod].map(encodeURIComponent);
  const url = new URL(`${cluster.server}/api/v1/namespaces/${space ?? ''}/pods/${name ?? ''}/exec`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  for (const word of command) url.searchParams.append('command', word);
  if (container !== null) url.searchParams.set('container', container);
  url.searchParams.set('stdout', 'true');
  url.searchParams.set('stderr', 'true');
  return url;
}

/** A connection that was handed over to a conversation is nobody's but ours to end. */
interface Pinned {
  agent: Agent;
  end: () => Promise<void>;
}

async function pinnedAgent(cluster: Cluster, url: URL, context: CallContext): Promise<Pinned> {
  const port = url.port === '' ? (url.protocol === 'wss:' ? 443 : 80) : Number(url.port);
  const target = await context.guard.check(url.hostname, port, context.trust);
  const { isInsecure, ca, cert, key } = cluster.tls;
  const connect = buildConnector({
    ...pinnedLookup(target),
    timeout: TIMEOUT_MS,
    rejectUnauthorized: isInsecure !== true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
  const opened: Socket[] = [];
  const agent = new Agent({
    connect: (options, done) =>
      connect(options, (error, socket) => {
        if (error !== null) {
          done(error, null);
          return;
        }
        opened.push(socket);
        done(null, socket);
      }),
  });
  const end = async (): Promise<void> => {
    for (const socket of opened) socket.destroy();
    await agent.destroy();
  };
  return { agent, end };
}

/** Why the command ended, as the cluster's status says it; null when it went well. */
function failureOf(text: string): string | null {
  try {
    const status = objectAt(JSON.parse(text));
    return status['status'] === 'Success' ? null : textOf(status['message']) || 'it failed';
  } catch (error) {
    if (error instanceof SyntaxError) return 'its status is not readable';
    throw error;
  }
}

interface Streams {
  out: Buffer[];
  error: Buffer[];
  size: number;
  /** Undefined until the cluster has said how it ended. */
  failure: string | null | undefined;
}

/** Takes a frame; answers what is wrong with it. */
function take(streams: Streams, data: unknown): string | null {
  if (!(data instanceof ArrayBuffer) || data.byteLength === 0) return null;
  const frame = Buffer.from(data);
  const [channel] = frame;
  const rest = frame.subarray(1);
  if (channel === STATUS) streams.failure = failureOf(rest.toString('utf8'));
  if (channel !== STDOUT && channel !== STDERR) return null;
  streams.size += rest.length;
  if (streams.size > MAX_OUTPUT_BYTES) return `it wrote more than ${MAX_OUTPUT_BYTES} bytes`;
  (channel === STDOUT ? streams.out : streams.error).push(rest);
  return null;
}

function converse(socket: WebSocket, what: string, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const streams: Streams = { out: [], error: [], size: 0, failure: undefined };
    const fail = (reason: string, code: 'network' | 'timeout' | 'not_found' = 'network') => {
      reject(new AppError(code, `${what}: ${reason}`));
      socket.close();
    };
    signal.addEventListener('abort', () => fail('no answer in time', 'timeout'), { once: true });
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('error', () => fail('the cluster refused to run a command in the pod'));
    socket.addEventListener('message', ({ data }) => {
      const wrong = take(streams, data);
      if (wrong !== null) fail(wrong);
      else if (streams.failure !== undefined) socket.close();
    });
    socket.addEventListener('close', () => {
      const stderr = Buffer.concat(streams.error).toString('utf8').trim().slice(0, 200);
      if (streams.failure === null) resolve(Buffer.concat(streams.out));
      else fail(stderr || streams.failure || 'the connection ended early', 'not_found');
    });
  });
}

/** What the command writes, as bytes. `what` names it in errors. */
export async function runInPod(
  cluster: Cluster,
  run: { place: PodTarget; command: readonly string[]; what: string },
  context: CallContext,
): Promise<Buffer> {
  const url = addressOf(cluster, run.place, run.command);
  const pinned = await pinnedAgent(cluster, url, context);
  const { accept: _accept, ...headers } = cluster.headers;
  try {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const socket = new WebSocket(url, { protocols: PROTOCOLS, dispatcher: pinned.agent, headers });
    return await converse(socket, run.what, signal);
  } finally {
    await pinned.end();
  }
}
