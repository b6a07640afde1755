/**
 * What of a list is shown where no more than `capacity` entries fit: nothing is left out without being counted. Where only
 * one fits it is shown, with the count beside it.
 */
export function fitOf(total: number, capacity: number): { shown: number; more: number } {
  if (total <= capacity) return { shown: total, more: 0 };
  // The last place says how many there are besides.
  const shown = capacity > 1 ? capacity - 1 : Math.max(0, capacity);
  return { shown, more: total - shown };
}
