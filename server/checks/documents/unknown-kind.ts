/** What to say of a key that is no kind of check: what was probably meant, or what there is. */
import { RUNNABLE_SCHEMAS, STORED_KINDS } from './check-specs.ts';

/** Slips of the finger, not other words. */
const NEAR = 2;

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

export function unknownKindMessage(key: string): string {
  const known = [...Object.keys(RUNNABLE_SCHEMAS), ...Object.keys(STORED_KINDS)].toSorted();
  const lower = key.slice(0, 50).toLowerCase();
  const [best] = known
    .map((kind) => ({ kind, far: distance(lower, kind.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far);
  const hint =
    best !== undefined && best.far <= NEAR ? `did you mean "${best.kind}"?` : `known are ${known.join(', ')}`;
  return `is not a kind of check; ${hint}`;
}
