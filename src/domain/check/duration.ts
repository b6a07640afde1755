/** Durations and sizes as people write them in specifications (`1m30s`, `7d`, `50M`). */
import { lookupTable } from '../../lib/lookup-table.ts';

const UNIT_MS = lookupTable<number>({
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
});
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d|w|y)/gy;
const WHOLE = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d|w|y))+$/;

/** ms of a duration text; null for what isn't one. A bare 0 is allowed, other bare numbers are not. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '0') return 0;
  const isNegative = trimmed.startsWith('-');
  const digits = isNegative ? trimmed.slice(1) : trimmed;
  if (!WHOLE.test(digits)) return null;
  let total = 0;
  for (const [, amount, unit] of digits.matchAll(PART)) total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  return isNegative ? -total : total;
}

const SIZE = /^(\d+(?:\.\d+)?)\s*([kmgtp]?)(i?)b?$/i;
const POWERS = ['', 'k', 'm', 'g', 't', 'p'];

/** Bytes of a size text; `M`, `MB` and `MiB` all count in 1024s, as the product always did. Null for others. */
export function parseSize(text: string | number): number | null {
  if (typeof text === 'number') return text;
  const match = SIZE.exec(text.trim());
  if (match === null) return null;
  return Number(match[1]) * 1024 ** POWERS.indexOf((match[2] ?? '').toLowerCase());
}
