/**
 * A clock that runs faster in all programs: the server and its threads load a script before themselves, the page is given
 * it, and a proxy in between puts it before the workers. Up to a moment that all of them know it is the real time: what a
 * start has to do takes as long as ever, and its time limits mean real seconds.
 */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../tests/security/support/free-port.ts';

/** One for all programs: with clocks that are minutes apart everything would be stale. */
export interface FastClock {
  /** How many times as fast. */
  rate: number;
  /** From when on, ms since 1970. */
  fromMs: number;
}

/** For any program: dates, `performance.now` and timers, also those that run when the clock gets faster. */
export const fastClock = ({ rate, fromMs }: FastClock): string => `(() => {
  const [rate, fromMs] = [${rate}, ${fromMs}];
  const RealDate = Date;
  const elapsed = performance.now.bind(performance);
  const beganMs = RealDate.now() - elapsed();
  const realNow = () => beganMs + elapsed();
  const fast = (ms) => ms <= fromMs ? ms : fromMs + (ms - fromMs) * rate;
  const real = (ms) => ms <= fromMs ? ms : fromMs + (ms - fromMs) / rate;
  const now = () => fast(realNow());
  globalThis.Date = class extends RealDate {
    constructor(...given) { if (given.length === 0) super(now()); else super(...given); }
    static now() { return Math.floor(now()); }
  };
  performance.now = () => now() - fast(beganMs);
  const { setTimeout, setInterval, clearTimeout } = globalThis;
  const realDelay = (ms) => real(now() + Math.max(0, Number(ms) || 0)) - realNow();
  globalThis.setTimeout = Object.assign((work, ms, ...rest) => setTimeout(work, realDelay(ms), ...rest), setTimeout);
  // An interval that was begun in real time is replaced by a faster one; whoever began it knows the first alone.
  const second = new Map();
  globalThis.setInterval = (work, ms, ...rest) => {
    const leftMs = fromMs - realNow();
    if (leftMs <= 0) return setInterval(work, ms / rate, ...rest);
    const first = setInterval(work, ms, ...rest);
    const turn = setTimeout(() => {
      clearTimeout(first);
      const faster = setInterval(work, ms / rate, ...rest);
      if (first.hasRef?.() === false) faster.unref();
      second.set(first, faster);
    }, leftMs);
    turn.unref?.();
    second.set(first, turn);
    return first;
  };
  globalThis.clearTimeout = globalThis.clearInterval = (timer) => {
    clearTimeout(timer);
    clearTimeout(second.get(timer));
    second.delete(timer);
  };
})();
`;

/** Node writes the header by a clock of its own, and devices tell the server's time by it. */
const DATE_HEADER = `{
  const { ServerResponse } = require('node:http');
  const { writeHead } = ServerResponse.prototype;
  ServerResponse.prototype.writeHead = function (...given) {
    if (!this.headersSent && !this.hasHeader('date')) this.setHeader('date', new Date().toUTCString());
    return writeHead.apply(this, given);
  };
}
`;

/**
 * Environment of a server on that clock. Its database is PGlite, which tells the time by its thread's `Date`: PostgreSQL's
 * programs would go on in real time. What is required first is so in threads, too; what is imported first is not.
 */
export function fastServer(clock: FastClock): Record<string, string> {
  const file = resolve(`.tmp/bench/fast-clock-${process.pid}.cjs`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, fastClock(clock) + DATE_HEADER);
  return { NODE_OPTIONS: `--require=${file}`, DATABASE_URL: 'pglite' };
}

/** What runs in the browser beside pages. */
const WORKER = /^\/(?:assets\/(?:sync|compute)\.worker-[^/]*|sw)\.js$/;

/** A worker's answer with the clock before its own text. */
async function withClock(answer: IncomingMessage, clock: FastClock) {
  const { 'content-length': _, etag: __, ...headers } = answer.headers;
  return { headers, body: fastClock(clock) + (await text(answer)) };
}

/** Starts a proxy of that server whose workers have that clock. */
export async function startFastClockProxy(serverUrl: string, clock: FastClock) {
  const target = new URL(serverUrl);
  const port = await freePort();
  const proxy = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    const isWorker = WORKER.test(path);
    const headers: IncomingHttpHeaders = { ...incoming.headers, host: target.host };
    if (headers.origin !== undefined) headers.origin = target.origin;
    if (isWorker) {
      for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) delete headers[name];
    }
    const { method } = incoming;
    const asked = request({ host: target.hostname, port: target.port, path, method, headers }, (answer) => {
      const status = answer.statusCode ?? 502;
      if (!isWorker) {
        outgoing.writeHead(status, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      withClock(answer, clock).then(
        (own) => outgoing.writeHead(status, own.headers).end(own.body),
        () => outgoing.destroy(),
      );
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  }).listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://localhost:${port}`,
    stop: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
