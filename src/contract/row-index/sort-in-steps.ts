/** Sorting tens of thousands of slots in short steps, so that questions about others are answered between them. */

export type CompareSlots = (a: number, b: number) => number;

/** About 2 ms on a small device. */
const RUN = 1024;

/** Merges two neighbouring runs into the same places of another list. */
function merge(
  from: Uint32Array,
  to: Uint32Array,
  { start, middle, end, compare }: { start: number; middle: number; end: number; compare: CompareSlots },
): void {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at += 1) {
    const [a, b] = [from[left] ?? 0, from[right] ?? 0];
    const isLeft = right >= end || (left < middle && compare(a, b) <= 0);
    to[at] = isLeft ? a : b;
    if (isLeft) left += 1;
    else right += 1;
  }
}

/** The slots in order; `slots` is used for the work. */
export async function sortedInSteps(
  slots: Uint32Array,
  compare: CompareSlots,
  pause: () => Promise<void>,
): Promise<Uint32Array> {
  for (let start = 0; start < slots.length; start += RUN) {
    slots.subarray(start, start + RUN).sort(compare);
    await pause();
  }
  let from = slots;
  let to: Uint32Array = new Uint32Array(slots.length);
  for (let width = RUN; width < slots.length; width *= 2) {
    for (let start = 0; start < slots.length; start += width * 2) {
      const [middle, end] = [start + width, start + width * 2].map((at) => Math.min(at, slots.length));
      merge(from, to, { start, middle: middle ?? 0, end: end ?? 0, compare });
      await pause();
    }
    [from, to] = [to, from];
  }
  return from;
}
