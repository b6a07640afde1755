/** `start` and `end` of the health endpoints: a duration back from now, or a moment (schema §4.7). */
import { AppError } from '../../../src/contract/errors.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

const DAY_MS = 86_400_000;

/** Months and years are the lengths that the time-range list of the app uses. */
const UNIT_MS = lookupTable<number>({
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
  mo: 30 * DAY_MS,
  y: 360 * DAY_MS,
});
const PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|mo|[smhdwy])/gy;
const DURATION = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|mo|[smhdwy]))+$/;
const MOMENT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
/** Nothing here is older; wider windows would only make wider buckets. */
const MAX_WINDOW_MS = 10 * 360 * DAY_MS;

export interface TimeWindow {
  fromMs: number;
  untilMs: number;
}

/** Milliseconds of `1h30m`, `2w`, `1mo`; null when it isn't a duration. */
export function durationMs(text: string): number | null {
  if (!DURATION.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(PART)) total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  return total;
}

function momentMs(text: string, nowMs: number): number | null {
  const back = durationMs(text);
  if (back !== null) return nowMs - back;
  // A plus sign that nobody encoded arrives as a space.
  const moment = text.replace(/ (?=\d\d:?\d\d$)/, '+');
  const parsed = MOMENT.test(moment) ? Date.parse(moment) : Number.NaN;
  return Number.isNaN(parsed) ? null : parsed;
}

/** The window that a request asks for; refuses what it can't read, and windows without any time in them. */
export function timeWindow(
  asked: { start?: string | undefined; end?: string | undefined },
  nowMs: number,
): TimeWindow {
  const fromMs = momentMs(asked.start ?? '1h', nowMs);
  if (fromMs === null) throw new AppError('invalid', `start: ${asked.start} is no duration and no time`);
  const untilMs = asked.end === undefined || asked.end === '' ? nowMs : momentMs(asked.end, nowMs);
  if (untilMs === null) throw new AppError('invalid', `end: ${asked.end} is no duration and no time`);
  if (fromMs >= untilMs) throw new AppError('invalid', 'start: must lie before the end');
  if (untilMs - fromMs > MAX_WINDOW_MS) throw new AppError('invalid', 'start: must lie within ten years');
  return { fromMs, untilMs };
}
