/** Numbers that are the same for the same seed. */
export function drawing(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state >> 8;
  };
}

/** All of them, beginning with the drawn one: for a place that may take another only. */
export function drawnFirst<T>(all: readonly T[], drawn: number): T[] {
  const first = drawn % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}
