/** A connection of a kind that speaks its service's protocol itself or by a client library, judged by the guard. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { AppError } from '../../../src/contract/errors.ts';
import type { EgressTls } from '../../platform/egress/egress-http.ts';
import type { Probe } from './probe.ts';

export interface Judged {
  /** As asked for; the name that a certificate has to have. */
  host: string;
  port: number;
  /** To connect to; a client that resolves the name again could be led elsewhere. */
  address: string;
}

/** Asks the guard; the time that names take does not count. */
export async function judged(probe: Probe, hostname: string, port: number): Promise<Judged> {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const { host, addresses } = await probe.guard.check(bare, port, probe.trust);
  probe.watch.restart();
  return { host, port, address: addresses[0].address };
}

/** What node's TLS is told. */
export interface TlsOptions {
  servername?: string;
  rejectUnauthorized: boolean;
  ca?: string;
  cert?: string;
  key?: string;
}

/** For a place, whose name its certificate has to have. */
export function tlsOptions({ host }: Judged, tls: EgressTls): TlsOptions {
  const isName = !/^[\d.]+$|:/.test(host);
  return {
    ...(isName ? { servername: host } : {}),
    rejectUnauthorized: tls.isInsecure !== true,
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
  };
}

/** How long a client may take to connect, its handshake included. */
export const connectLimitMs = ({ limitMs }: Probe, { handshakeTimeoutMs = limitMs }: EgressTls): number =>
  Math.min(limitMs, handshakeTimeoutMs);

function opened(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  const giveUp = () => socket.destroy(new Error('aborted', { cause: signal.reason }));
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', giveUp));
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    // Stays: one that breaks later must not end the process.
    socket.on('error', reject);
  });
}

/** Connects; the socket ends with the probe's signal. The caller destroys it. */
export async function openSocket(probe: Probe, place: Judged): Promise<Socket> {
  const socket = connect({ host: place.address, port: place.port });
  await opened(socket, 'connect', probe.signal);
  return socket;
}

/** Connects with TLS, or goes over to it on a socket that is open. */
export async function openTls(
  probe: Probe,
  place: Judged,
  { tls, socket, alpn }: { tls: EgressTls; socket?: Socket; alpn?: string[] },
): Promise<TLSSocket> {
  const where = socket === undefined ? { host: place.address, port: place.port } : { socket };
  const secure = connectTls({
    ...where,
    ...tlsOptions(place, tls),
    ...(alpn === undefined ? {} : { ALPNProtocols: alpn }),
  });
  const { handshakeTimeoutMs: limitMs } = tls;
  const late = limitMs === undefined ? null : AbortSignal.timeout(limitMs);
  const giveUp = () =>
    secure.destroy(new AppError('timeout', `no TLS within ${limitMs} ms (handshakeTimeout)`));
  late?.addEventListener('abort', giveUp, { once: true });
  try {
    await opened(secure, 'secureConnect', probe.signal);
  } finally {
    late?.removeEventListener('abort', giveUp);
  }
  return secure;
}

/** A protocol of lines. */
export interface LineReader {
  /** Without its line end; throws when the service hangs up or says more than `maxBytes`. */
  next: () => Promise<string>;
}

/** Reads a socket line by line, within a budget of bytes for the whole talk. */
export function readLines(socket: Socket, maxBytes = 64 * 1024): LineReader {
  const parts = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest = '';
  let size = 0;
  return {
    async next() {
      while (!rest.includes('\n')) {
        const part = await parts.next();
        if (part.done === true) throw new AppError('network', 'the service ended the connection');
        size += part.value.length;
        if (size > maxBytes) throw new AppError('network', `the service said more than ${maxBytes} bytes`);
        rest += part.value.toString('latin1');
      }
      const end = rest.indexOf('\n');
      const line = rest.slice(0, end).replace(/\r$/, '');
      rest = rest.slice(end + 1);
      return line;
    },
  };
}
