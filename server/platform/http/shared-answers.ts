/**
 * Lets requests that ask the same at the same time share one answer, and keeps it for a short while where that
 * was allowed: 500 walls that poll one range must not be 500 scans. Only for answers that are the same for
 * everyone who may ask; the asking itself is authorised before.
 */
import type { Platform } from '../platform.ts';

const MAX_KEPT = 20;

export interface SharedAnswers<Value> {
  /** The running or kept answer of this key, else a new one; a failed one is not kept. */
  share(key: string, keepMs: number, work: () => Promise<Value>): Promise<Value>;
}

/** In memory of this process; a failed answer is shared with those who wait for it and then forgotten. */
export function createSharedAnswers<Value = string>(platform: Pick<Platform, 'now'>): SharedAnswers<Value> {
  const answers = new Map<string, { answer: Promise<Value>; freshUntilMs: number }>();

  return {
    share(key, keepMs, work) {
      const known = answers.get(key);
      if (known !== undefined && platform.now() < known.freshUntilMs) return known.answer;
      const entry = { answer: work(), freshUntilMs: Number.POSITIVE_INFINITY };
      answers.delete(key);
      answers.set(key, entry);
      const oldest = answers.size > MAX_KEPT ? answers.keys().next().value : undefined;
      if (oldest !== undefined) answers.delete(oldest);
      const forget = () => {
        if (answers.get(key) === entry) answers.delete(key);
      };
      entry.answer.then(() => {
        entry.freshUntilMs = platform.now() + keepMs;
        if (keepMs === 0) forget();
        // It may be large, and nobody may ask again.
        else setTimeout(forget, keepMs).unref();
      }, forget);
      return entry.answer;
    },
  };
}
