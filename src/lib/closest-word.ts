/** Guesses which of several words was meant by a mistyped one. */

/** Edit distance of two words. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_unused, at) => at);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Nobody mistypes longer ones by two letters, and the time grows with the length. */
const MAX_LENGTH = 50;
/** Words this short differ by two letters from half of all others. */
const SHORT = 3;

/**
 * The word that a slip of the finger or a wrong case makes of it; null where none is that near. `farthest` is how many
 * letters may differ.
 */
export function closestWord(wanted: string, words: readonly string[], farthest = 2): string | null {
  const lower = wanted.slice(0, MAX_LENGTH).toLowerCase();
  const [best] = words
    .map((word) => ({ word, far: distance(lower, word.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far);
  const near = lower.length <= SHORT ? 1 : 2;
  return best !== undefined && best.far <= Math.min(near, farthest) ? best.word : null;
}
