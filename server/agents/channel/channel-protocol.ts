/**
 * What an agent and its upstream server say to each other about calls to the agent's cluster (docs/decisions/0090). The
 * agent opens a WebSocket, and serves HTTP/2 on it: each call is a stream of its own, with the flow control, the
 * cancelling and the bounds of that protocol. What HTTP/2 has no place for stands in the headers named here.
 */
import type { Http2Session, Settings } from 'node:http2';
import type { Platform } from '../../platform/platform.ts';

/** Below `/upstream`. */
export const CHANNEL_PATH = 'cluster';

/** Of a call: whose cluster is meant, and as whom it is to judge. */
export const FOR_AGENT = 'holdfast-agent';
export const AS_USER = 'holdfast-user';
/** Separated by commas. */
export const AS_GROUPS = 'holdfast-groups';
/** Of a call, and of an answer that agrees: the protocol that the stream's bytes are of. */
export const UPGRADE_TO = 'holdfast-upgrade';
/** Of an answer that is the agent's and not its cluster's: a code of errors, and the sentence, percent-encoded. */
export const FAILURE = 'holdfast-failure';
export const FAILURE_TEXT = 'holdfast-failure-text';

/** Calls of one agent at a time. */
export const MOST_CALLS = 128;
const KIB = 1024;
/** What of one call may be on its way unread; of all together on the line. */
const STREAM_WINDOW_BYTES = 256 * KIB;
const LINE_WINDOW_BYTES = 4096 * KIB;
/** Of one message of the WebSocket; HTTP/2 writes far smaller ones. */
export const MAX_MESSAGE_BYTES = 16 * KIB * KIB;
/** Sooner than anything in between takes the line for idle. */
const KEEP_ALIVE_MS = 20_000;
const PONG_MS = 15_000;

export const CHANNEL_SETTINGS: Settings = {
  enablePush: false,
  initialWindowSize: STREAM_WINDOW_BYTES,
  maxConcurrentStreams: MOST_CALLS,
};

function pong(session: Http2Session): Promise<boolean> {
  return new Promise((resolve) => {
    if (session.destroyed || session.closed) resolve(false);
    else session.ping((error) => resolve(error === null));
  });
}

/** A program that is not there any more answers nothing; one that is does so at once. */
const THERE_MS = 5000;

/** Whether the other side is there. */
export async function isAnswering(
  session: Http2Session,
  platform: Pick<Platform, 'sleep'>,
): Promise<boolean> {
  const done = new AbortController();
  const late = platform.sleep(THERE_MS, done.signal).then(() => false);
  const isThere = await Promise.race([pong(session), late]);
  done.abort();
  return isThere;
}

/** Until it is closed: a line that is half open, or whose other side stands still, is cut. */
export async function keepAlive(session: Http2Session, platform: Pick<Platform, 'sleep'>): Promise<void> {
  const ended = new AbortController();
  session.once('close', () => ended.abort());
  session.setLocalWindowSize(LINE_WINDOW_BYTES);
  while (!session.destroyed) {
    await platform.sleep(KEEP_ALIVE_MS, ended.signal);
    if (session.destroyed) return;
    const late = platform.sleep(PONG_MS, ended.signal).then(() => false);
    if (!(await Promise.race([pong(session), late]))) session.destroy();
  }
}
