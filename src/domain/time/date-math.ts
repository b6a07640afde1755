/**
 * Date math as filters write it (contract §17, schema §3.3): `now` or an absolute date followed by `||`, then
 * steps `+n<unit>`, `-n<unit>` and `/<unit>` (snap to its start). All in UTC; weeks start on Monday.
 */
import { lookupTable } from '../../lib/lookup-table.ts';
const UNIT_MS = lookupTable<number>({
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
});
const STEP = /^(?:([+-])(\d{1,9})(ms|[smhdwMy])|\/(ms|[smhdwMy]))/;
const ABSOLUTE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const HAS_OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/;
/** 1970-01-01 was a Thursday; the Monday before it lies three days earlier. */
const MONDAY_OFFSET_MS = 3 * 86_400_000;

function addMonths(timeMs: number, months: number): number {
  const date = new Date(timeMs);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  // One month after January 31st is the last day of February.
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

function add(timeMs: number, count: number, unit: string): number {
  if (unit === 'M') return addMonths(timeMs, count);
  if (unit === 'y') return addMonths(timeMs, count * 12);
  return timeMs + count * (UNIT_MS[unit] ?? 0);
}

function snap(timeMs: number, unit: string): number {
  const date = new Date(timeMs);
  if (unit === 'M') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  if (unit === 'y') return Date.UTC(date.getUTCFullYear(), 0, 1);
  const size = UNIT_MS[unit] ?? 1;
  const shift = unit === 'w' ? MONDAY_OFFSET_MS : 0;
  return Math.floor((timeMs + shift) / size) * size - shift;
}

function parseAbsolute(text: string): number | null {
  if (!ABSOLUTE.test(text)) return null;
  const isDateOnly = text.length === 10;
  const spelled = text.replace(' ', 'T') + (isDateOnly || HAS_OFFSET.test(text) ? '' : 'Z');
  const timeMs = Date.parse(spelled);
  // The parser takes the 30th of February for the 1st of March.
  const dayMs = Date.parse(text.slice(0, 10));
  if (Number.isNaN(timeMs) || Number.isNaN(dayMs)) return null;
  return new Date(dayMs).toISOString().startsWith(text.slice(0, 10)) ? timeMs : null;
}

function splitBase(text: string, nowMs: number): { baseMs: number; steps: string } | null {
  if (text.startsWith('now')) return { baseMs: nowMs, steps: text.slice(3) };
  const [date = '', steps = ''] = text.split('||', 2);
  const baseMs = parseAbsolute(date);
  return baseMs === null ? null : { baseMs, steps };
}

/** What a date says beyond its milliseconds: `456` of `…:05.123456Z`. */
const FINER = /^[^|]*\.\d{3}(\d+)/;
const SNAPS = /\/(?:ms|[smhdwMy])/;

/**
 * The moment as databases take it, as exact as it was written: rows are stamped in microseconds, and who goes on from
 * the last row's own time must not meet that row again. Null when it is no moment.
 */
export function dateMathText(expression: string, nowMs: number): string | null {
  const timeMs = evaluateDateMath(expression, nowMs);
  if (timeMs === null) return null;
  const finer = SNAPS.test(expression) ? '' : (FINER.exec(expression.trim())?.[1] ?? '');
  return new Date(timeMs).toISOString().replace('Z', `${finer}Z`);
}

/** Whether an expression is a date with a time of day, to the second or finer, and nothing else. */
export function isExactMoment(expression: string): boolean {
  return /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?$/.test(expression.trim());
}

/** The moment that an expression names, in ms since 1970; null when it is not one. */
export function evaluateDateMath(expression: string, nowMs: number): number | null {
  const base = splitBase(expression.trim(), nowMs);
  if (base === null) return null;
  let timeMs = base.baseMs;
  let rest = base.steps;
  while (rest !== '') {
    const step = STEP.exec(rest);
    if (step === null) return null;
    const [whole, sign, count, unit, snapUnit] = step;
    timeMs =
      snapUnit === undefined ? add(timeMs, Number(`${sign}${count}`), unit ?? '') : snap(timeMs, snapUnit);
    rest = rest.slice(whole.length);
  }
  // Beyond what a Date can name.
  return Number.isNaN(new Date(timeMs).getTime()) ? null : timeMs;
}
