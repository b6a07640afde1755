/** How old the runs of a check are that this device has: as old as their own reading, whatever else was read since. */
export function runsAsOfMs(
  { asOfMs }: { asOfMs: () => number | null },
  readAtMs: number | null,
): number | null {
  const times = [asOfMs(), readAtMs].filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}
