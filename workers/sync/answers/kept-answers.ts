/**
 * Answers that come twice: at once from what is kept on the device, then from the server, and again whenever
 * the data may have changed. What the server said is kept with the time at which it was true.
 */
import { errorFacts } from '../../../src/contract/errors.ts';
import type { Kept } from '../../../src/contract/worker.ts';
import type { KeptDocument } from '../../store/store-facts.ts';
import type { RowStore } from '../../store/row-store.ts';
import type { Answer } from '../api.ts';

/** Kept documents beyond this many are forgotten, longest unasked first. */
const MAX_DOCUMENTS = 1000;
/** A check that flaps must not become a storm of questions. */
const ASK_GAP_MS = 1000;

export interface AnswerSource<T> {
  fromDevice(): Promise<Kept<T> | null>;
  fromServer(signal: AbortSignal): Promise<Kept<T>>;
}

export interface AnswerPlatform {
  elapsed(): number;
  later(delayMs: number, callback: () => void): () => void;
  report(error: unknown): void;
}

export interface StandingAnswer {
  /** Asks the server again, soon. */
  renew(): void;
  stop(): void;
}

/** Answers now and from then on. A failure is told only while there is nothing else to show. */
export function answer<T>(
  platform: AnswerPlatform,
  source: AnswerSource<T>,
  listener: (found: Answer<Kept<T>>) => void,
): StandingAnswer {
  const stopped = new AbortController();
  let hasAnswered = false;
  let isAsking = false;
  let isAskedAgain = false;
  let askedAtMs = Number.NEGATIVE_INFINITY;

  const tell = (found: Answer<Kept<T>>) => {
    if (stopped.signal.aborted) return;
    hasAnswered ||= found.ok;
    listener(found);
  };
  const ask = async () => {
    isAsking = true;
    askedAtMs = platform.elapsed();
    try {
      tell({ ok: true, value: await source.fromServer(stopped.signal) });
    } catch (error) {
      const facts = errorFacts(error);
      // Gone or forbidden is news even when an old copy is kept.
      const isFinal = facts.code === 'not_found' || facts.code === 'forbidden';
      if (!hasAnswered || isFinal) tell({ ok: false, error: facts });
      if (facts.code === 'unknown') platform.report(error);
    } finally {
      isAsking = false;
      if (isAskedAgain) renew();
    }
  };
  function renew() {
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
      const kept = await source.fromDevice();
      if (kept !== null) tell({ ok: true, value: kept });
    } catch (error) {
      platform.report(error);
    }
    await ask();
  };
  isAsking = true;
  void begin();
  return { renew, stop: () => stopped.abort() };
}

/** Documents on the device, by id. */
export interface DocumentShelf {
  get(id: string): Promise<KeptDocument | null>;
  put(document: KeptDocument): Promise<void>;
}

/** A shelf that forgets the oldest when it is full. */
export function createDocumentShelf(
  store: RowStore<KeptDocument> & {
    partitions(): Promise<string[]>;
    dropPartitions(names: readonly string[]): Promise<void>;
  },
): DocumentShelf {
  /** Least recently used first. */
  let used: Map<string, true> | null = null;
  const touch = async (id: string) => {
    used ??= new Map((await store.partitions()).map((name) => [name, true]));
    used.delete(id);
    used.set(id, true);
    const surplus = [...used.keys()].slice(0, Math.max(0, used.size - MAX_DOCUMENTS));
    if (surplus.length === 0) return;
    await store.dropPartitions(surplus);
    for (const name of surplus) used.delete(name);
  };
  return {
    async get(id) {
      const [document] = await store.loadAll(id);
      return document ?? null;
    },
    async put(document) {
      await store.apply({ upserts: [document], deletedIds: [] });
      await touch(document.id);
    },
  };
}
