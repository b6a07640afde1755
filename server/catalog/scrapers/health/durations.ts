/** How long something took or is ago, written as the tools of clusters write it. */

const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNITS = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['m', MINUTE_MS],
] as const;

/** Roughly how long, in one unit: `1h`, `3d`, `5m`. */
export function roughly(durationMs: number): string {
  for (const [unit, sizeMs] of UNITS)
    if (durationMs >= sizeMs) return `${Math.floor(durationMs / sizeMs)}${unit}`;
  return `${Math.max(0, Math.floor(durationMs / SECOND_MS))}s`;
}

const pair = (durationMs: number, large: [string, number], small: [string, number]): string => {
  const rest = Math.floor((durationMs % large[1]) / small[1]);
  return `${Math.floor(durationMs / large[1])}${large[0]}${rest === 0 ? '' : `${rest}${small[0]}`}`;
};

/** As `kubectl` writes an age: two units while the smaller one says something, else one (`120m`, `3h10m`). */
export function kubectlAge(durationMs: number): string {
  if (durationMs < 0) return '0s';
  if (durationMs < 2 * MINUTE_MS) return `${Math.floor(durationMs / SECOND_MS)}s`;
  if (durationMs < 10 * MINUTE_MS) return pair(durationMs, ['m', MINUTE_MS], ['s', SECOND_MS]);
  if (durationMs < 3 * HOUR_MS) return `${Math.floor(durationMs / MINUTE_MS)}m`;
  if (durationMs < 8 * HOUR_MS) return pair(durationMs, ['h', HOUR_MS], ['m', MINUTE_MS]);
  if (durationMs < 2 * DAY_MS) return `${Math.floor(durationMs / HOUR_MS)}h`;
  if (durationMs < 8 * DAY_MS) return pair(durationMs, ['d', DAY_MS], ['h', HOUR_MS]);
  return `${Math.floor(durationMs / DAY_MS)}d`;
}

/** As Go writes a duration: `40m0s`, `1h5m0s`. */
export function goDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / SECOND_MS));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (h > 0) return `${h}h${m}m${s}s`;
  return m > 0 ? `${m}m${s}s` : `${s}s`;
}
