/** Values as text for people, alike in every script language. */

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];
const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** A duration with its two largest units: `3d2h`, `45s`, `120ms`. */
export function humanDuration(ms: number): string {
  const rest = Math.abs(ms);
  if (rest < 1000) return `${Math.round(ms)}ms`;
  const first = UNITS.findIndex(([, size]) => rest >= size);
  const parts: string[] = [];
  let left = rest;
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const amount = Math.floor(left / size);
    left -= amount * size;
    if (amount > 0) parts.push(`${amount}${unit}`);
  }
  return (ms < 0 ? '-' : '') + parts.join('');
}

/** A size in the unit that keeps it short: `1.5 MiB`. */
export function humanSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < SIZES.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${SIZES[unit] ?? ''}`;
}

/** A duration as Go prints it: `168h0m0s`, `1.5s`, `250ms`. */
export function goDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (Math.abs(ms) < 1000) return `${ms}ms`;
  const sign = ms < 0 ? '-' : '';
  const seconds = Math.abs(ms) / 1000;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = Number((seconds % 60).toFixed(3));
  if (hours > 0) return `${sign}${hours}h${minutes}m${rest}s`;
  return minutes > 0 ? `${sign}${minutes}m${rest}s` : `${sign}${rest}s`;
}

/** Any script result as text: strings as they are, nothing as nothing, the rest as JSON. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  return toJson(value);
}

/** JSON of script values: 64-bit integers as numbers, maps as objects. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, plain);
}

/** The same over several lines. */
export function prettyJson(indent: unknown, value: unknown): string {
  return JSON.stringify(value, plain, textOf(indent));
}

function plain(_key: string, entry: unknown): unknown {
  if (typeof entry === 'bigint') return Number(entry);
  return entry instanceof Map ? Object.fromEntries(entry) : entry;
}
