/** Chance that falls the same way each time for the same seed. */
export interface Prng {
  /** In [0, 1). */
  roll(): number;
  /** A whole number in [0, below). */
  below(count: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  uuid(): string;
}

/** mulberry32: small, fast and the same everywhere. */
export function createPrng(seed: number): Prng {
  let state = seed >>> 0;
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(roll() * count);
  const hex = (digits: number) => Array.from({ length: digits }, () => below(16).toString(16)).join('');
  return {
    roll,
    below,
    pick: (from) => from[below(from.length)] ?? from[0],
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}
