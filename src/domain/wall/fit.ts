/** What of a list is shown where no more than `capacity` entries fit: nothing is left out without being counted. */
export function fitOf(total: number, capacity: number): { shown: number; more: number } {
  if (total <= capacity) return { shown: total, more: 0 };
  // The last place says how many there are besides.
  const shown = Math.max(0, capacity - 1);
  return { shown, more: total - shown };
}
