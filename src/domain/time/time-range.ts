/**
 * A stretch of time as people choose it (spec 3 §2 'Time range picker', contract §19.3): two moments, so long until
 * now, or a name. It owns how that stands in a link and which moments it means; it knows no clock.
 * Invariants: setting one kind clears every parameter of the others; what is written and read again is the same;
 * the moments of a name are its beginning and its end, in the viewer's zone.
 */
import { evaluateDateMath } from './date-math.ts';
import { jsonOrNull } from '../../lib/json-or-null.ts';

export type ChosenRange =
  /** Moments as `YYYY-MM-DD HH:mm`, viewer's zone. */
  | { kind: 'absolute'; from: string; to: string }
  /** Date math: `now-2d`, or `now+2d` for what lies ahead. */
  | { kind: 'relative'; range: string }
  | { kind: 'mapped'; name: string };

/** Date math or an instant; null for no bound. */
export interface RangeBounds {
  after: string | null;
  before: string | null;
}

interface Step {
  range: string;
  label: string;
}

const STEPS: readonly [string, string][] = [
  ['5m', '5 minutes'],
  ['15m', '15 minutes'],
  ['30m', '30 minutes'],
  ['1h', '1 hour'],
  ['3h', '3 hours'],
  ['6h', '6 hours'],
  ['12h', '12 hours'],
  ['24h', '24 hours'],
  ['2d', '2 days'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['6M', '6 months'],
  ['1y', '1 year'],
  ['2y', '2 years'],
  ['5y', '5 years'],
];

export const PAST_STEPS: readonly Step[] = STEPS.map(([step, label]) => ({ range: `now-${step}`, label }));

interface MappedRange {
  name: string;
  from: string;
  to: string;
}

/** `to` is where the range ends, not where it begins: else every one of them would be empty. */
export const MAPPED_RANGES: readonly MappedRange[] = [
  { name: 'Yesterday', from: 'now-1d/d', to: 'now/d' },
  { name: 'Day before yesterday', from: 'now-2d/d', to: 'now-1d/d' },
  { name: 'This day last week', from: 'now-7d/d', to: 'now-6d/d' },
  { name: 'Previous week', from: 'now-1w/w', to: 'now/w' },
  { name: 'Previous month', from: 'now-1M/M', to: 'now/M' },
  { name: 'Previous year', from: 'now-1y/y', to: 'now/y' },
  { name: 'Today', from: 'now/d', to: 'now+1d/d' },
  { name: 'Today so far', from: 'now/d', to: 'now' },
  { name: 'This week', from: 'now/w', to: 'now+1w/w' },
  { name: 'This week so far', from: 'now/w', to: 'now' },
  { name: 'This month', from: 'now/M', to: 'now+1M/M' },
  { name: 'This month so far', from: 'now/M', to: 'now' },
  { name: 'This year', from: 'now/y', to: 'now+1y/y' },
  { name: 'This year so far', from: 'now/y', to: 'now' },
];

/** What job history, changes and playbook runs show at first (spec 2 §9). */
export const TWO_DAYS: ChosenRange = { kind: 'relative', range: 'now-2d' };

const MOMENT = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2})$/;

/** The instant of `YYYY-MM-DD HH:mm` in the viewer's zone; null when it is none. */
export function momentMs(text: string): number | null {
  const [, year, month, day, hour, minute] = MOMENT.exec(text) ?? [];
  if (year === undefined) return null;
  const date = new Date(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  // A 31st of February, or an hour that summer time skips.
  const isReal = date.getMonth() === Number(month) - 1 && date.getDate() === Number(day);
  return isReal ? date.getTime() : null;
}

/** The moment of an instant, as links have it. */
export function momentText(atMs: number): string {
  const date = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

export type RangeProblem = 'incomplete' | 'not-a-time' | 'reversed' | 'unknown' | 'ahead';

/** Why a range can't be used where one looks back; null when it can. What lies ahead is for silences only. */
export function rangeProblem(range: ChosenRange): RangeProblem | null {
  if (range.kind === 'mapped')
    return MAPPED_RANGES.some(({ name }) => name === range.name) ? null : 'unknown';
  if (range.kind === 'relative') {
    const atMs = evaluateDateMath(range.range, 0);
    if (atMs === null) return 'not-a-time';
    return atMs > 0 ? 'ahead' : null;
  }
  if (range.from === '' || range.to === '') return 'incomplete';
  const [fromMs, toMs] = [momentMs(range.from), momentMs(range.to)];
  if (fromMs === null || toMs === null) return 'not-a-time';
  return fromMs < toMs ? null : 'reversed';
}

type Texts = Readonly<Record<string, unknown>>;

export const RANGE_PARAMS = ['from', 'to', 'duration', 'timeRange', 'rangeType', 'display', 'range'] as const;
export type RangeSearch = Partial<Record<(typeof RANGE_PARAMS)[number], string>>;

function candidateOf(search: Texts): ChosenRange | null {
  const text = (key: (typeof RANGE_PARAMS)[number]) =>
    typeof search[key] === 'string' ? (search[key] as string) : '';
  switch (search['rangeType']) {
    case 'absolute':
      return { kind: 'absolute', from: text('from'), to: text('to') };
    case 'relative':
      return { kind: 'relative', range: text('range') };
    case 'mapped':
      return { kind: 'mapped', name: text('timeRange') || text('display') };
    default:
      return null;
  }
}

/** The range that a link names; null for none, or for one that can't be used. */
export function parseRange(search: Texts): ChosenRange | null {
  const range = candidateOf(search);
  return range === null || rangeProblem(range) !== null ? null : range;
}

/** Why the range that a link names can't be used; null for none, or a good one. */
export function refusedRange(search: Texts): RangeProblem | null {
  const range = candidateOf(search);
  return range === null ? null : rangeProblem(range);
}

/** How a range is called. */
export function rangeLabel(range: ChosenRange): string {
  switch (range.kind) {
    case 'absolute':
      return `${range.from} – ${range.to}`;
    case 'relative':
      return PAST_STEPS.find((step) => step.range === range.range)?.label ?? range.range;
    case 'mapped':
      return range.name;
  }
}

/** The parameters of a range, and of it alone. */
export function writeRange(range: ChosenRange): RangeSearch {
  switch (range.kind) {
    case 'absolute':
      return { rangeType: 'absolute', display: 'Custom', from: range.from, to: range.to };
    case 'relative':
      return { rangeType: 'relative', display: rangeLabel(range), range: range.range };
    case 'mapped':
      return { rangeType: 'mapped', display: range.name, timeRange: range.name };
  }
}

/** What another range, or (null) none, changes in a link: what stood there of the former one is taken out. */
export function rangeLink(
  range: ChosenRange | null,
): Record<(typeof RANGE_PARAMS)[number], string | undefined> {
  const cleared = Object.fromEntries(RANGE_PARAMS.map((name) => [name, undefined]));
  return { ...cleared, ...(range === null ? {} : writeRange(range)) } as ReturnType<typeof rangeLink>;
}

/** Snapping is reckoned on the viewer's clock: their day is meant, not Greenwich's. */
function evaluateLocally(expression: string, nowMs: number): string | null {
  const offsetMs = new Date(nowMs).getTimezoneOffset() * 60_000;
  const atMs = evaluateDateMath(expression, nowMs - offsetMs);
  return atMs === null ? null : new Date(atMs + offsetMs).toISOString();
}

/**
 * The moments that a range means. Relative ones stay date math, to be reckoned whenever they are asked for; an end
 * of now is no bound.
 */
export function boundsOf(range: ChosenRange, nowMs: number): RangeBounds {
  switch (range.kind) {
    case 'absolute': {
      const [fromMs, toMs] = [momentMs(range.from), momentMs(range.to)];
      const iso = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());
      return { after: iso(fromMs), before: iso(toMs) };
    }
    case 'relative':
      return range.range.startsWith('now+')
        ? { after: 'now', before: range.range }
        : { after: range.range, before: null };
    case 'mapped': {
      const mapped = MAPPED_RANGES.find(({ name }) => name === range.name);
      if (mapped === undefined) return { after: null, before: null };
      return {
        after: evaluateLocally(mapped.from, nowMs),
        before: mapped.to === 'now' ? null : evaluateLocally(mapped.to, nowMs),
      };
    }
  }
}

export const RECENT_RANGES_KEY = 'recentlyUsedTimeRanges';
const MAX_RECENT = 4;

type AbsoluteRange = Extract<ChosenRange, { kind: 'absolute' }>;

function isAbsolute(value: unknown): value is { from: string; to: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'from' in value &&
    'to' in value &&
    typeof value.from === 'string' &&
    typeof value.to === 'string'
  );
}

/** The absolute ranges that were used last, newest first; unreadable ones are left out. */
export function parseRecents(text: string | null): AbsoluteRange[] {
  const value = jsonOrNull(text);
  if (!Array.isArray(value)) return [];
  return value
    .filter(isAbsolute)
    .map(({ from, to }): AbsoluteRange => ({ kind: 'absolute', from, to }))
    .filter((range) => rangeProblem(range) === null)
    .slice(0, MAX_RECENT);
}

/** With one more used: in front, once, and no more than four. */
export function addRecent(recents: readonly AbsoluteRange[], used: AbsoluteRange): AbsoluteRange[] {
  const others = recents.filter(({ from, to }) => from !== used.from || to !== used.to);
  return [used, ...others].slice(0, MAX_RECENT);
}
