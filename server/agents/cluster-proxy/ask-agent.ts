/**
 * A call to the cluster of an agent, over the line that it keeps open to this server. The agent signs in at its cluster;
 * as whom the cluster is to judge is told with the call (docs/decisions/0090).
 */
import { constants } from 'node:http2';
import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  IncomingHttpStatusHeader,
  OutgoingHttpHeaders,
} from 'node:http2';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { AppError, ERROR_CODES } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import type { AgentChannels } from '../channel/agent-channels.ts';
import {
  AS_GROUPS,
  AS_USER,
  FAILURE,
  FAILURE_TEXT,
  FOR_AGENT,
  MOST_CALLS,
  UPGRADE_TO,
} from '../channel/channel-protocol.ts';
import { findLine } from '../channel/channel-query.ts';
import { MESSAGES } from '../messages.ts';
import type { LinePeer } from './ask-peer.ts';
import { headersToCluster } from './proxied-headers.ts';
import type { ClusterAnswer, ClusterCall } from './send-to-cluster.ts';

/** Longer than the agent gives its cluster to begin an answer. */
const ANSWER_MS = 75_000;
/** An agent that was heard within that is online, as its list has it (schema §8.1). */
const HEARD_MS = 61_000;
const UNAVAILABLE = 503;
const SWITCHED = 101;

interface AgentParts {
  db: Database;
  channels: AgentChannels;
  nowMs: number;
}

/** Where the line of an agent leads: to this server, or to another one. */
export type LineEnd =
  | { kind: 'here'; agent: { id: string; name: string }; session: ClientHttp2Session }
  | { kind: 'there'; peer: LinePeer };

const unavailable = (text: string) => new AppError('server', text, { status: UNAVAILABLE });

/** Throws what keeps the call from its agent. `isPassedOn`: no other server is to be asked. */
export async function findLineEnd(
  { db, channels, nowMs }: AgentParts,
  { name, isPassedOn }: { name: string; isPassedOn: boolean },
): Promise<LineEnd> {
  const line = await findLine(db, name, new Date(nowMs - HEARD_MS));
  if (line === null) throw new AppError('not_found', MESSAGES.noSuchCluster);
  const agent = { id: line.id, name: line.name };
  const session = channels.of(line.id);
  if (session !== null) return { kind: 'here', agent, session };
  const { cluster_server: at, server_address: address, is_heard: isHeard, has_offered: hasOffered } = line;
  if (at !== null && at !== channels.server && address !== null && !isPassedOn)
    return { kind: 'there', peer: { agent, server: at, address } };
  if (!isHeard) throw unavailable(MESSAGES.agentAway(name));
  if (!hasOffered) throw unavailable(MESSAGES.agentWithoutCluster(name));
  if (at !== null && at !== channels.server)
    throw unavailable(MESSAGES.agentElsewhere(name, at.split('#')[0] ?? at));
  throw unavailable(MESSAGES.agentAway(name));
}

function headersToAgent(call: ClusterCall, agent: string): OutgoingHttpHeaders {
  const { person, isUpgrade, method, path } = call;
  const sent = headersToCluster(call.headers, { own: {}, person, isUpgrade });
  const own = new Set(['connection', 'upgrade', 'impersonate-user', 'impersonate-group']);
  // As tools say of a request that is to change its protocol: HTTP/2 takes no byte more than was said.
  if (isUpgrade) own.add('content-length');
  const passed = Object.fromEntries(Object.entries(sent).filter(([name]) => !own.has(name)));
  return {
    ...passed,
    ':method': method,
    ':path': path,
    [FOR_AGENT]: encodeURIComponent(agent),
    [AS_USER]: person.user,
    [AS_GROUPS]: person.groups.join(','),
    ...(isUpgrade ? { [UPGRADE_TO]: String(call.headers.upgrade) } : {}),
  };
}

const textOf = (value: string | string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.join(', ') ?? '');

/** What the agent says instead of an answer of its cluster. */
function failureIn(headers: IncomingHttpHeaders): AppError | null {
  const said = textOf(headers[FAILURE]);
  if (said === '') return null;
  const code: ErrorCode = ERROR_CODES.find((one) => one === said) ?? 'network';
  let text = textOf(headers[FAILURE_TEXT]);
  try {
    text = decodeURIComponent(text);
  } catch {
    // Shown as it came.
  }
  // Who may do this was judged here; what the agent refuses is the trouble of whoever runs it.
  return new AppError(code === 'unauthorized' ? 'network' : code, text);
}

/** A stream that was cut ends as one that is over does: the two are told apart by its code. */
async function* wholeOf(stream: ClientHttp2Stream): AsyncGenerator<Buffer> {
  yield* stream as AsyncIterable<Buffer>;
  // How it ended is asked below, whatever this says of it.
  if (!stream.closed) await finished(stream, { writable: false }).catch(() => undefined);
  if (stream.rstCode !== undefined && stream.rstCode !== constants.NGHTTP2_NO_ERROR)
    throw new AppError('network', MESSAGES.lineBroke);
}

function answerIn(
  stream: ClientHttp2Stream,
  headers: IncomingHttpHeaders & IncomingHttpStatusHeader,
): ClusterAnswer {
  const plain = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')));
  const upgrade = textOf(headers[UPGRADE_TO]);
  if (upgrade === '') {
    const body = Readable.from(wholeOf(stream), { objectMode: false });
    // Where nobody reads it any more, nobody has to hear how it ends.
    body.on('error', () => undefined);
    return { kind: 'answer', statusCode: headers[':status'] ?? 0, headers: plain, body };
  }
  return {
    kind: 'upgrade',
    statusCode: SWITCHED,
    headers: { ...plain, connection: 'Upgrade', upgrade },
    socket: stream,
    head: Buffer.alloc(0),
  };
}

interface AskedAgent {
  call: ClusterCall;
  body: Readable | undefined;
}

type LineHere = Extract<LineEnd, { kind: 'here' }>;

/** Calls of each line that go on, so that one person's watches do not keep out all others' calls without a word. */
const open = new WeakMap<ClientHttp2Session, number>();

function begin({ agent: { name }, session }: LineHere, { call, body }: AskedAgent) {
  const count = open.get(session) ?? 0;
  if (count >= MOST_CALLS) throw new AppError('rate_limited', MESSAGES.tooManyCalls(name));
  const endStream = body === undefined && !call.isUpgrade;
  const stream = session.request(headersToAgent(call, name), { endStream, signal: call.signal });
  // Each pipeline on it listens for its end.
  stream.setMaxListeners(0);
  open.set(session, count + 1);
  stream.once('close', () => open.set(session, (open.get(session) ?? 1) - 1));
  return stream;
}

/** Throws where the agent is not there, or says that its cluster was not reached. */
export function askAgent(line: LineHere, asked: AskedAgent): Promise<ClusterAnswer> {
  const { call, body } = asked;
  const stream = begin(line, asked);
  const answered = new Promise<ClusterAnswer>((resolve, reject) => {
    stream.once('response', (headers) => {
      stream.setTimeout(0);
      const failure = failureIn(headers);
      if (failure === null) return resolve(answerIn(stream, headers));
      stream.resume();
      return reject(failure);
    });
    // Stays for the whole call: whoever reads the stream hears of it, too.
    stream.on('error', (error) =>
      reject(call.signal.aborted ? error : new AppError('network', MESSAGES.lineBroke, { cause: error })),
    );
    stream.once('close', () => reject(new AppError('network', MESSAGES.lineBroke)));
  });
  stream.setTimeout(ANSWER_MS, () => stream.destroy(new AppError('timeout', MESSAGES.clusterSilent)));
  // Its failure is that of the stream, which is told above.
  if (body !== undefined && !call.isUpgrade) pipeline(body, stream).catch(() => undefined);
  return answered;
}
