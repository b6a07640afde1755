/**
 * A loopback proxy whose weather a test decides: it holds or swallows the answers of chosen calls (the server has
 * done its work by then), delays, throttles and cuts connections, and has a new version of the app. To the page it is the
 * server.
 */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { freePort } from '../../tests/security/support/free-port.ts';

export interface Weather {
  /** Answers of calls whose path matches are dropped after the server gave them; the connection is cut. */
  swallow: RegExp | null;
  /** Calls whose path matches are cut before the server sees them. */
  cut: RegExp | null;
  /** Answers of calls whose path matches are held until this is null again. */
  hold: RegExp | null;
  /** Half-open: nothing passes and nothing fails; what is under way then stays dead for ever. */
  isSilent: boolean;
  /** Each way, ms. */
  latencyMs: number;
  /** kbit/s downstream; null for no limit. */
  kbps: number | null;
  /** Share of calls whose connection is cut before the server sees them. */
  loss: number;
  /** The service worker is another one than the server's, as after a new version was installed there. */
  hasNewVersion: boolean;
}

export interface WeatherProxy {
  url: string;
  weather: Weather;
  /** Calls that reached the server, as `METHOD path`. */
  seen: string[];
  /** Those that did not, because their connection was cut. */
  lost: string[];
  stop(): Promise<void>;
}

const FINE: Weather = {
  swallow: null,
  cut: null,
  hold: null,
  isSilent: false,
  latencyMs: 0,
  kbps: null,
  loss: 0,
  hasNewVersion: false,
};
const LOOK_MS = 25;
const BITS = 8;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const forEver = () => new Promise<never>(() => {});

/** Passes a body on no faster than the line allows. */
async function pour(answer: IncomingMessage, response: ServerResponse, weather: Weather): Promise<void> {
  for await (const part of answer) {
    const chunk = part as Buffer;
    if (weather.kbps !== null) await sleep((chunk.length * BITS) / weather.kbps);
    if (weather.isSilent) await forEver();
    if (!response.write(chunk)) await once(response, 'drain');
  }
  response.end();
}

/** Browsers compare the script's bytes. */
async function answerNewVersion(response: ServerResponse, target: URL): Promise<void> {
  const script = await fetch(new URL('/sw.js', target));
  response.writeHead(script.status, {
    'content-type': script.headers.get('content-type') ?? '',
    'cache-control': 'no-cache',
  });
  response.end(`${await script.text()}\n// A new version.\n`);
}

async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { target, weather, seen, lost }: { target: URL; weather: Weather; seen: string[]; lost: string[] },
): Promise<void> {
  const path = incoming.url ?? '/';
  if (weather.isSilent) await forEver();
  await sleep(weather.latencyMs);
  if (weather.cut?.test(path) === true || Math.random() < weather.loss) {
    lost.push(`${incoming.method} ${path}`);
    incoming.socket.destroy();
    return;
  }
  seen.push(`${incoming.method} ${path}`);
  if (weather.hasNewVersion && path === '/sw.js') return answerNewVersion(response, target);
  const call = request({
    host: target.hostname,
    port: target.port,
    path,
    method: incoming.method,
    headers: incoming.headers,
    agent: false,
  });
  incoming.pipe(call);
  response.on('close', () => call.destroy());
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  while (weather.hold?.test(path) === true) await sleep(LOOK_MS);
  if (weather.swallow?.test(path) === true) {
    incoming.socket.destroy();
    return;
  }
  await sleep(weather.latencyMs);
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  response.flushHeaders();
  await pour(answer, response, weather);
}

/** Starts a proxy in front of a server. */
export async function startWeatherProxy(serverUrl: string): Promise<WeatherProxy> {
  const port = await freePort();
  const weather = { ...FINE };
  const seen: string[] = [];
  const lost: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, response) => {
    forward(incoming, response, { target: new URL(serverUrl), weather, seen, lost }).catch(() => {
      incoming.socket.destroy();
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${port}`,
    weather,
    seen,
    lost,
    async stop() {
      // What is still held would be looked after for ever.
      weather.hold = null;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
