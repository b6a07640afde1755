/** A thin line to a server: a TCP proxy that holds all connections together to a rate, also those of workers. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

const PACKET_BYTES = 1460;
const BITS = 8;

export interface SlowLine {
  url: string;
  /** That came down the line so far. */
  receivedKb(): number;
  stop(): Promise<void>;
}

/** Runs one thing after the other: of two timers the later one may end first, by a part of a millisecond. */
function inOrder(): (delayMs: number, run: () => void) => void {
  const waiting: (() => void)[] = [];
  return (delayMs, run) => {
    waiting.push(run);
    setTimeout(() => waiting.shift()?.(), delayMs);
  };
}

/** Opens the line: so many kbit/s each way, and so long for a round trip. */
export async function openSlowLine(
  targetUrl: string,
  { kbps, latencyMs }: { kbps: number; latencyMs: number },
): Promise<SlowLine> {
  const target = new URL(targetUrl);
  const freeAt = { up: 0, down: 0 };
  const sockets = new Set<Socket>();
  let received = 0;
  /** When the line has carried so many bytes more, from now, ms. */
  const delayOf = (direction: 'up' | 'down', bytes: number) => {
    const now = performance.now();
    freeAt[direction] = Math.max(freeAt[direction], now) + (bytes * BITS) / kbps;
    return freeAt[direction] - now + latencyMs / 2;
  };
  const pump = (from: Socket, to: Socket, direction: 'up' | 'down') => {
    const send = inOrder();
    from.on('data', (chunk: Buffer) => {
      if (direction === 'down') received += chunk.length;
      for (let at = 0; at < chunk.length; at += PACKET_BYTES) {
        const packet = chunk.subarray(at, at + PACKET_BYTES);
        send(delayOf(direction, packet.length), () => to.writable && to.write(packet));
      }
    });
    from.on('end', () => send(delayOf(direction, 0), () => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => sockets.delete(from));
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) sockets.add(socket);
    upstream.on('error', () => client.destroy());
    // The round trip of the handshake.
    setTimeout(() => {
      pump(client, upstream, 'up');
      pump(upstream, client, 'down');
    }, latencyMs);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    receivedKb: () => received / 1024,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
