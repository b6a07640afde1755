/**
 * A clock that runs faster in all three programs: the server loads a script before itself, the page is given it, and a
 * proxy in between puts it before the workers.
 */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { dirname, resolve } from 'node:path';
import { freePort } from '../../tests/security/support/free-port.ts';

/** One for all programs: begun at their own starts, their clocks would be minutes apart, and everything stale. */
const EPOCH = Date.now();

/** For any program: dates, `performance.now` and timers run `rate` times as fast, the dates since this one began. */
export const fastClock = (rate: number): string => `(() => {
  const rate = ${rate};
  const RealDate = Date;
  const epoch = ${EPOCH};
  const now = () => epoch + (RealDate.now() - epoch) * rate;
  globalThis.Date = class extends RealDate {
    constructor(...given) { if (given.length === 0) super(now()); else super(...given); }
    static now() { return Math.round(now()); }
  };
  const realNow = performance.now.bind(performance);
  const begun = realNow();
  performance.now = () => begun + (realNow() - begun) * rate;
  for (const name of ['setTimeout', 'setInterval']) {
    const real = globalThis[name];
    globalThis[name] = Object.assign((work, ms, ...rest) => real(work, (ms ?? 0) / rate, ...rest), real);
  }
})()`;

/** Environment of a server whose clock and timers run so much faster. */
export function fastServer(rate: number): Record<string, string> {
  const file = resolve('.tmp/bench/fast-clock.mjs');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${fastClock(rate)};\n`);
  return { NODE_OPTIONS: `--import=${file}` };
}

const SCRIPT_PATH = '/fast-clock.js';
const WORKER = /^\/assets\/(?:sync|compute)\.worker-[^/]*\.js$/;

/** Starts a proxy of that server whose workers have a clock that is `rate` times as fast. */
export async function startFastClockProxy(serverUrl: string, rate: number) {
  const target = new URL(serverUrl);
  const port = await freePort();
  const proxy = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    const script = path === SCRIPT_PATH ? fastClock(rate) : null;
    const worker = WORKER.test(path) ? `import '${SCRIPT_PATH}';\nimport '${path}?real';\n` : null;
    const own = script ?? worker;
    if (own !== null) {
      outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(own);
      return;
    }
    const headers = { ...incoming.headers, host: target.host };
    if (headers.origin !== undefined) headers.origin = target.origin;
    const { method } = incoming;
    const asked = request({ host: target.hostname, port: target.port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
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
