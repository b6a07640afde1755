/**
 * When recurring hours really are: the next stretches of time in which they hold, clocks that change included. What the
 * list of windows means at an instant is `isInOperation`'s to say; this only finds the instants at which that may turn.
 */
import { isInOperation, minutesOf, type HoursWindow } from './rule-hours.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Hours come again within a week; clocks that change may swallow one. */
const HORIZON_DAYS = 16;

export interface Occurrence {
  startMs: number;
  endMs: number;
}

const READERS = new Map<string, Intl.DateTimeFormat>();

function readerOf(timeZone: string): Intl.DateTimeFormat {
  const known = READERS.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  READERS.set(timeZone, made);
  return made;
}

/** How far the zone's clocks are ahead of UTC, ms, to the minute. */
function offsetMs(atMs: number, timeZone: string): number {
  const parts = readerOf(timeZone).formatToParts(atMs);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value ?? 0);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return shown - Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
}

/** The instant at which clocks change between two others that differ, to the minute. */
function changeBetween(fromMs: number, toMs: number, timeZone: string): number {
  const before = offsetMs(fromMs, timeZone);
  let [low, high] = [Math.floor(fromMs / MINUTE_MS), Math.ceil(toMs / MINUTE_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(middle * MINUTE_MS, timeZone) === before) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}

/** Where one window may begin or end: its clock times on each day, and where clocks change. */
function turnsOf({ start, end, tz = 'UTC' }: HoursWindow, fromMs: number): number[] {
  const turns: number[] = [];
  const firstDayMs = Math.floor(fromMs / DAY_MS) * DAY_MS - 2 * DAY_MS;
  let before = offsetMs(firstDayMs, tz);
  for (let day = 0; day <= HORIZON_DAYS + 3; day += 1) {
    const dayMs = firstDayMs + day * DAY_MS;
    const after = offsetMs(dayMs + DAY_MS, tz);
    if (after !== before) turns.push(changeBetween(dayMs, dayMs + DAY_MS, tz));
    for (const clock of [start, end]) {
      const localMs = dayMs + minutesOf(clock) * MINUTE_MS;
      // Clocks that go back show a time twice; a day of the zone's begins up to 14 hours before or after UTC's.
      for (const offset of [before, after])
        turns.push(localMs - offset, localMs - DAY_MS - offset, localMs + DAY_MS - offset);
    }
    before = after;
  }
  return turns;
}

/**
 * The next stretches in which the hours hold, from one instant to another, cut at both; at most `count`. None where
 * there are no hours: they hold all the time then.
 */
export function nextWindows(
  windows: readonly HoursWindow[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
  count: number,
): Occurrence[] {
  if (windows.length === 0) return [];
  const endMs = Math.min(untilMs, fromMs + HORIZON_DAYS * DAY_MS);
  const turns = windows.flatMap((window) => turnsOf(window, fromMs));
  const inside = turns.filter((at) => at > fromMs && at < endMs);
  const edges = [...new Set([fromMs, ...inside])].toSorted((a, b) => a - b);
  const found: Occurrence[] = [];
  for (const [at, startMs] of edges.entries()) {
    if (!isInOperation(windows, startMs)) continue;
    const stopMs = edges[at + 1] ?? endMs;
    const last = found.at(-1);
    if (last?.endMs === startMs) last.endMs = stopMs;
    else if (found.length === count) break;
    else if (stopMs > startMs) found.push({ startMs, endMs: stopMs });
  }
  return found;
}
