/**
 * Answers of the topology, kept for five minutes (contract §5), for as long as nothing of any component has changed:
 * with a mark of the data that rises with every change, no answer is older than the data. Owns how much is kept; knows
 * nothing of what is asked.
 */
import type { Platform } from '../platform/platform.ts';

const KEEP_MS = 5 * 60_000;
const MAX_ANSWERS = 50;
/** Of text, all answers together. */
const MAX_CHARS = 8_000_000;

interface Kept {
  mark: string;
  atMs: number;
  text: Promise<string>;
  /** Zero until it is there. */
  chars: number;
}

interface Asked {
  /** The same text is the same question. */
  question: string;
  mark: string;
  /** Nothing that was kept is wanted. */
  isFresh: boolean;
}

export interface TopologyCache {
  /** What was kept, else what `make` answers; those who ask the same together wait for one. */
  answer: (asked: Asked, make: () => Promise<string>) => Promise<string>;
}

/** One for the process: what may be read is decided before it is asked, and is the same for everybody who may. */
export function createTopologyCache({ now }: Pick<Platform, 'now'>): TopologyCache {
  const kept = new Map<string, Kept>();

  function trim(): void {
    let chars = [...kept.values()].reduce((sum, one) => sum + one.chars, 0);
    for (const [question, one] of kept) {
      if (kept.size <= MAX_ANSWERS && chars <= MAX_CHARS) return;
      kept.delete(question);
      chars -= one.chars;
    }
  }

  function keep({ question, mark }: Asked, text: Promise<string>): void {
    const one: Kept = { mark, atMs: now(), text, chars: 0 };
    // The one asked for last is the last to go.
    kept.delete(question);
    kept.set(question, one);
    text.then(
      ({ length }) => {
        one.chars = length;
        trim();
      },
      () => {
        if (kept.get(question) === one) kept.delete(question);
      },
    );
  }

  function answer(asked: Asked, make: () => Promise<string>): Promise<string> {
    const found = asked.isFresh ? undefined : kept.get(asked.question);
    if (found !== undefined && found.mark === asked.mark && now() - found.atMs < KEEP_MS)
      // Whoever asked first may have gone, and ended the work on it.
      return found.text.catch(() => answer(asked, make));
    const text = make();
    keep(asked, text);
    return text;
  }

  return { answer };
}
