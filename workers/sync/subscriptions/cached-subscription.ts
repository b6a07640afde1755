/**
 * A subscription to an answer that comes twice: at once from the device's cache, then from the server, and again
 * whenever the data may have changed.
 */
import { errorFacts } from '../../../src/contract/errors.ts';
import type { Answer } from '../../../src/contract/queries/queries.ts';
import type { Cached } from '../../../src/contract/worker.ts';

/** A check that flaps must not become a storm of requests. */
const ASK_GAP_MS = 1000;

export interface CachedSource<T> {
  fromCache: () => Promise<Cached<T> | null>;
  fromServer: (signal: AbortSignal) => Promise<Cached<T>>;
  /** After how long an answer is asked for again, ms; null for not by the clock. */
  pollMs?: (value: T) => number | null;
}

export interface SubscriptionPlatform {
  elapsed(): number;
  later(delayMs: number, callback: () => void): () => void;
  report(error: unknown): void;
}

export interface CachedSubscription {
  /** Asks the server again, soon. */
  renew(): void;
  stop(): void;
}

/** Asks again by the clock for as long as the last answer wants it: what goes on is followed after a failure, too. */
function pollClock<T>(
  platform: SubscriptionPlatform,
  { pollMs }: Pick<CachedSource<T>, 'pollMs'>,
  renew: () => void,
) {
  let waitMs: number | null = null;
  let cancel = () => {};
  return {
    note: (value: T) => {
      waitMs = pollMs?.(value) ?? null;
    },
    start: () => {
      if (waitMs !== null) cancel = platform.later(waitMs, renew);
    },
    cancel: () => cancel(),
  };
}

/** Answers now and from then on. A failure is sent only while there is nothing else to show. */
export function subscribeCached<T>(
  platform: SubscriptionPlatform,
  source: CachedSource<T>,
  listener: (found: Answer<Cached<T>>) => void,
): CachedSubscription {
  const stopped = new AbortController();
  let hasAnswered = false;
  let isAsking = false;
  let isAskedAgain = false;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  const clock = pollClock(platform, source, () => renew());

  const emit = (found: Answer<Cached<T>>) => {
    if (stopped.signal.aborted) return;
    hasAnswered ||= found.ok;
    if (found.ok) clock.note(found.value.value);
    listener(found);
  };
  const ask = async () => {
    isAsking = true;
    askedAtMs = platform.elapsed();
    try {
      emit({ ok: true, value: await source.fromServer(stopped.signal) });
    } catch (error) {
      const facts = errorFacts(error);
      // Gone or forbidden is news even when an old copy is cached.
      const isFinal = facts.code === 'not_found' || facts.code === 'forbidden';
      if (!hasAnswered || isFinal) emit({ ok: false, error: facts });
      if (facts.code === 'unknown') platform.report(error);
    } finally {
      isAsking = false;
      if (isAskedAgain) renew();
      else if (!stopped.signal.aborted) clock.start();
    }
  };
  function renew() {
    clock.cancel();
    if (stopped.signal.aborted) return;
    isAskedAgain = isAsking;
    if (isAsking) return;
    const waitMs = askedAtMs + ASK_GAP_MS - platform.elapsed();
    if (waitMs <= 0) {
      void ask();
      return;
    }
    isAsking = true;
    platform.later(waitMs, () => void ask());
  }

  const begin = async () => {
    try {
      const cached = await source.fromCache();
      if (cached !== null) emit({ ok: true, value: cached });
    } catch (error) {
      platform.report(error);
    }
    await ask();
  };
  isAsking = true;
  void begin();
  stopped.signal.addEventListener('abort', clock.cancel, { once: true });
  return { renew, stop: () => stopped.abort() };
}
