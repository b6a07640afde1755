const counts = new Intl.NumberFormat();

/** `1,234`, as the reader's language writes it. `toLocaleString` makes a formatter of its own at every call. */
export function formatCount(count: number): string {
  return counts.format(count);
}
