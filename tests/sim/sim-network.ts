/**
 * The network between simulated devices and the server, as bad as a seed wants it. It only ever does what a
 * real one may: lose, delay, repeat, reorder, answer in the server's place, fall silent.
 */
import type { EventHandlers, EventStream } from '../../workers/sync/platform.ts';
import type { ProcessGuard } from './process-guard.ts';
import type { Random } from './seeded-random.ts';
import { ORIGIN_HOST } from './sim-server.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { jsonAnswer, type Wire, type WireAnswer, type WireRequest, type WireStream } from './wire.ts';

/** How likely each trouble is, for each request. */
export interface Weather {
  slowestMs: number;
  /** Cut before it reached the server. */
  lost: number;
  /** Cut after the server did it. */
  answerLost: number;
  /** Delivered once more, later, unheard. */
  doubled: number;
  /** Delivered after its sender gave up. */
  late: number;
  /** Never answered, never refused. */
  hung: number;
  /** 500, 502, 503, 504 or 429 by something in between. */
  refused: number;
  /** Truncated, or another page with 200. */
  garbled: number;
  /** A stream breaks at an event. */
  streamBroken: number;
  /** A stream falls silent at an event while it stays open. */
  streamSilent: number;
}

export const FINE: Weather = {
  slowestMs: 40,
  lost: 0,
  answerLost: 0,
  doubled: 0,
  late: 0,
  hung: 0,
  refused: 0,
  garbled: 0,
  streamBroken: 0,
  streamSilent: 0,
};

const LATEST_MS = 300_000;
const PORTAL = '<!doctype html><title>Welcome</title><p>Please sign in to the Wi-Fi</p>';

/** What a device has of the network: its address, cookies, and whether it has any. */
export class Link {
  isOnline = true;
  readonly cookies = new Map<string, string>();
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  keep(setCookies: readonly string[]): void {
    for (const line of setCookies) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (/;\s*(?:max-age=0|expires=thu, 01 jan 1970)/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }

  cookieHeader(): Record<string, string> {
    if (this.cookies.size === 0) return {};
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }
}

/** What those hear who watch the network. */
export interface NetworkWatch {
  onStarted(request: WireRequest, from: Caller): void;
  /** The worker has its answer, an error, or gave up. */
  onEnded(request: WireRequest, from: Caller): void;
  /** The server's own answer, whether or not it gets back. */
  onDone(request: WireRequest, answer: WireAnswer, from: Caller): void;
  /** What the device was told, by whomever. */
  onAnswered(request: WireRequest, answer: WireAnswer, from: Caller): void;
}

export interface Caller {
  link: Link;
  life: ProcessGuard;
  /** Which worker of the device. */
  worker: string;
}

export interface NetworkParts {
  clock: VirtualClock;
  random: Random;
  wire: Wire;
  watch: NetworkWatch;
}

function abortError(): Error {
  return new DOMException('The operation was aborted', 'AbortError');
}

function responseOf({ status, headers, body }: WireAnswer): Response {
  return new Response(status === 204 || status === 304 ? null : body, { status, headers });
}

function headersOf(init: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(init.headers).entries());
}

export class SimNetwork {
  weather: Weather = FINE;
  private readonly parts: NetworkParts;
  private readonly prng = new Map<string, Random>();

  constructor(parts: NetworkParts) {
    this.parts = parts;
  }

  fetch(caller: Caller, url: string, init: RequestInit): Promise<Response> {
    const { pathname, search } = new URL(url);
    const method = init.method ?? 'GET';
    const request: WireRequest = {
      method,
      path: pathname + search,
      headers: {
        ...headersOf(init),
        ...(method === 'GET' ? {} : { origin: `http://${ORIGIN_HOST}` }),
      },
      body: typeof init.body === 'string' ? init.body : null,
    };
    if (caller.life.isDead) return new Promise(() => {});
    const { watch } = this.parts;
    watch.onStarted(request, caller);
    const end = (run: () => void) =>
      caller.life.enter(() => {
        watch.onEnded(request, caller);
        run();
      });
    return new Promise<Response>((resolve, reject) => {
      const give = () => end(() => reject(abortError()));
      if (init.signal?.aborted === true) give();
      else {
        init.signal?.addEventListener('abort', give, { once: true });
        this.travel(request, caller).then(
          (found) => end(() => resolve(responseOf(found))),
          (error: unknown) => end(() => reject(error instanceof Error ? error : new TypeError())),
        );
      }
    });
  }

  openEvents(caller: Caller, url: string, handlers: EventHandlers): EventStream {
    const { clock } = this.parts;
    const random = this.prngOf(caller);
    const { pathname, search } = new URL(url);
    const request: WireRequest = { method: 'GET', path: pathname + search, headers: {}, body: null };
    let upstream: WireStream | null = null;
    let state: 'open' | 'silent' | 'closed' = 'open';
    const close = () => {
      state = 'closed';
      upstream?.close();
    };
    const fail = () => {
      if (state !== 'open') return;
      close();
      caller.life.enter(() => handlers.onError());
    };
    const hear = (name: string, data: string) => {
      if (state !== 'open') return;
      if (random.chance(this.weather.streamSilent)) state = 'silent';
      else if (random.chance(this.weather.streamBroken) || !caller.link.isOnline) fail();
      else caller.life.enter(() => handlers.onEvent(name, data));
    };
    let heardAtMs = 0;
    // One after the other: a stream keeps its order.
    const later = (run: () => void) => {
      heardAtMs = Math.max(heardAtMs + 0.01, clock.now() + this.delayMs(caller));
      clock.after(heardAtMs - clock.now(), run);
    };
    const connect = async () => {
      if (!caller.link.isOnline || random.chance(this.weather.lost)) throw new TypeError('no way');
      const headers = { ...request.headers, ...caller.link.cookieHeader() };
      upstream = await this.parts.wire.stream(
        { ...request, headers },
        { onEvent: (name, data) => later(() => hear(name, data)), onEnd: () => later(fail) },
      );
      if (state === 'closed') upstream.close();
      else later(() => state === 'open' && caller.life.enter(() => handlers.onOpen()));
    };
    clock.after(this.delayMs(caller), () => {
      if (state === 'open') connect().catch(() => later(fail));
    });
    caller.life.atDeath(close);
    return { close };
  }

  /** Each worker's own, so that one request more of another changes nothing here. */
  private prngOf({ worker }: Caller): Random {
    const found = this.prng.get(worker) ?? this.parts.random.fork(worker);
    this.prng.set(worker, found);
    return found;
  }

  private delayMs(caller: Caller): number {
    return this.prngOf(caller).between(1, this.weather.slowestMs);
  }

  private async deliver(request: WireRequest, caller: Caller): Promise<WireAnswer> {
    const headers = { ...request.headers, ...caller.link.cookieHeader() };
    const answer = await this.parts.wire.request({ ...request, headers });
    this.parts.watch.onDone(request, answer, caller);
    return answer;
  }

  private async travel(request: WireRequest, caller: Caller): Promise<WireAnswer> {
    const { clock } = this.parts;
    const random = this.prngOf(caller);
    const { weather } = this;
    const { link, life } = caller;
    await clock.sleep(this.delayMs(caller));
    if (!link.isOnline || random.chance(weather.lost)) throw new TypeError('the network went away');
    if (random.chance(weather.hung)) return new Promise(() => {});
    if (random.chance(weather.late)) {
      clock.after(random.between(10_000, LATEST_MS), () => void this.deliver(request, caller));
      return new Promise(() => {});
    }
    if (random.chance(weather.refused)) return this.answered(request, this.refusal(random), caller);
    if (random.chance(weather.doubled)) {
      clock.after(random.between(1, 20_000), () => void this.deliver(request, caller));
    }
    const answer = await this.deliver(request, caller);
    await clock.sleep(this.delayMs(caller));
    if (!link.isOnline || random.chance(weather.answerLost)) throw new TypeError('the network went away');
    if (!life.isDead) link.keep(answer.setCookies);
    const heard = random.chance(weather.garbled) ? this.garbled(answer, random) : answer;
    return this.answered(request, heard, caller);
  }

  private answered(request: WireRequest, answer: WireAnswer, caller: Caller): WireAnswer {
    this.parts.watch.onAnswered(request, answer, caller);
    return answer;
  }

  private refusal(random: Random): WireAnswer {
    const status = random.pick([500, 502, 503, 504, 429]);
    const wait = { 'retry-after': String(random.int(1, 30)) };
    return jsonAnswer(status, { error: 'Try later' }, random.chance(0.5) ? wait : {});
  }

  private garbled(answer: WireAnswer, random: Random): WireAnswer {
    if (random.chance(0.5)) {
      return { status: 200, headers: { 'content-type': 'text/html' }, setCookies: [], body: PORTAL };
    }
    return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) };
  }
}
