/** Randomness that a seed decides, split into independent strands, so that one more draw here moves nothing there. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  chance(probability: number): boolean;
  /** From `low` to `high`, both included. */
  int(low: number, high: number): number;
  /** From `low` up to `high`. */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** An id as clients make them. */
  guid(): string;
  hex(sizeBytes: number): string;
  /** A strand of its own. */
  fork(label: string): Random;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** Mulberry32: small, even enough for faults. */
function createDraw(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The strand that this text names. */
export function createRandom(seed: string): Random {
  const next = createDraw(hashOf(seed));
  const hex = (sizeBytes: number) =>
    Array.from({ length: sizeBytes }, () =>
      Math.floor(next() * 256)
        .toString(16)
        .padStart(2, '0'),
    ).join('');
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    int,
    hex,
    chance: (probability) => next() < probability,
    between: (low, high) => low + next() * (high - low),
    pick<T>(list: readonly T[]): T {
      const found = list[int(0, list.length - 1)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
    guid: () => `${hex(4)}-${hex(2)}-4${hex(2).slice(1)}-8${hex(2).slice(1)}-${hex(6)}`,
    fork: (label) => createRandom(`${seed}/${label}`),
  };
}
