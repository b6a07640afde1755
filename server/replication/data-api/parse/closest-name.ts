/** Guesses which of several names was meant by a misspelt one, for hints in errors. */
const LEAST_LIKENESS = 0.6;

function pieces(name: string): string[] {
  const padded = `-${name.toLowerCase()}-`;
  return Array.from({ length: padded.length - 1 }, (_, index) => padded.slice(index, index + 2));
}

/** Share of the pairs of letters that both names have; 1 for the same name. */
function likeness(one: string, other: string): number {
  const left = pieces(one);
  const right = pieces(other);
  const shared = left.filter((piece) => right.includes(piece)).length;
  return (2 * shared) / (left.length + right.length);
}

/** The most alike name, or null when none is alike enough to be worth a hint. */
export function closestName(wanted: string, names: readonly string[]): string | null {
  const ranked = names
    .map((name) => ({ name, score: likeness(wanted, name) }))
    .toSorted((a, b) => b.score - a.score);
  const [best] = ranked;
  return best !== undefined && best.score >= LEAST_LIKENESS ? best.name : null;
}
