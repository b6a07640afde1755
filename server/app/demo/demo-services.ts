/**
 * Small local services for `--demo`: real sockets on loopback that behave well, slowly, badly or on and off. What
 * a path does is a function of its name and the clock, so that two runs of the demo tell the same story.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import type { Platform } from '../../platform/platform.ts';

/** How a demo service behaves; part of its path: `/{behaviour}/{name}`. */
export type Behaviour = 'steady' | 'slow' | 'flaky' | 'down';

export interface DemoServices {
  httpUrl: string;
  tcpPort: number;
  /** Nothing listens here. */
  closedPort: number;
  dnsPort: number;
  stop(): Promise<void>;
}

/** A flaky service is down for a part of each such period. */
const FLAP_PERIOD_MS = 180_000;
const FLAP_DOWN_PART = 0.25;

/** FNV-1a, 32 bit: spreads names evenly and stays the same for ever. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** True while the flaky service of that name is down. */
export function isFlappedDown(name: string, nowMs: number): boolean {
  const phase = ((nowMs + (hashOf(name) % FLAP_PERIOD_MS)) % FLAP_PERIOD_MS) / FLAP_PERIOD_MS;
  return phase < FLAP_DOWN_PART;
}

function answerOf(behaviour: string, name: string, nowMs: number): { status: number; delayMs: number } {
  const jitter = (hashOf(name) + Math.floor(nowMs / 1000)) % 40;
  if (behaviour === 'down') return { status: 503, delayMs: 5 };
  if (behaviour === 'slow') return { status: 200, delayMs: 350 + jitter * 12 };
  if (behaviour === 'flaky' && isFlappedDown(name, nowMs)) return { status: 500, delayMs: 20 + jitter };
  return { status: 200, delayMs: 4 + jitter };
}

/** Answers any A question with one private address, whatever the name. */
function dnsAnswer(question: Buffer): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  const end = question.indexOf(0, 12) + 5;
  const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 20, 30, 40]);
  return Buffer.concat([header, question.subarray(12, end), record]);
}

/** Starts all of them on free ports. `pages`: what else the HTTP service answers, by path. */
export async function startDemoServices(
  platform: Platform,
  pages: Readonly<Record<string, () => unknown>> = {},
): Promise<DemoServices> {
  const http = createHttpServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(page()));
      return;
    }
    const [, behaviour = '', name = ''] = (request.url ?? '/').split('/');
    const { status, delayMs } = answerOf(behaviour, name, platform.now());
    void platform.sleep(delayMs).then(() => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ service: name, status: status === 200 ? 'ok' : 'failing' }));
    });
  });
  const tcp = createTcpServer((socket) => socket.on('error', () => socket.destroy()).end());
  const dns = createSocket('udp4');
  dns.on('message', (question, from) => dns.send(dnsAnswer(question), from.port, from.address));
  http.listen(0, '127.0.0.1');
  tcp.listen(0, '127.0.0.1');
  dns.bind(0, '127.0.0.1');
  await Promise.all([once(http, 'listening'), once(tcp, 'listening'), once(dns, 'listening')]);
  const spare = createTcpServer().listen(0, '127.0.0.1');
  await once(spare, 'listening');
  const closedPort = (spare.address() as AddressInfo).port;
  spare.close();
  return {
    httpUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    tcpPort: (tcp.address() as AddressInfo).port,
    closedPort,
    dnsPort: dns.address().port,
    async stop() {
      http.closeAllConnections();
      const closed = [once(http, 'close'), once(tcp, 'close'), once(dns, 'close')];
      http.close();
      tcp.close();
      dns.close();
      await Promise.all(closed);
    },
  };
}
