/**
 * What a run leaves to chance while it goes on: which of two things that may happen next does. Drawn from the seed and
 * written down, or read from what was written down, so that a run can be had again.
 */
import type { Random } from './seeded-random.ts';

export interface Choices {
  /** True with that probability. */
  chance(probability: number): boolean;
  /** All of them, as text: how many came before each change, beginning with false. */
  written(): string;
}

/** Lengths of alternating runs of false and true. */
function encoded(taken: readonly boolean[]): string {
  const lengths: number[] = [];
  let current = false;
  let length = 0;
  for (const one of taken) {
    if (one !== current) {
      lengths.push(length);
      [current, length] = [one, 0];
    }
    length += 1;
  }
  return [...lengths, length].join(' ');
}

function decoded(text: string): boolean[] {
  return text.split(' ').flatMap((length, at) => Array.from({ length: Number(length) }, () => at % 2 === 1));
}

/** Choices of a seed; the first ones as they were written down, if they were. */
export function createChoices(random: Random, written: string | null = null): Choices {
  const known = written === null ? [] : decoded(written);
  const taken: boolean[] = [];
  return {
    chance(probability) {
      const drawn = random.chance(probability);
      const chosen = known[taken.length] ?? drawn;
      taken.push(chosen);
      return chosen;
    },
    written: () => encoded(taken),
  };
}
