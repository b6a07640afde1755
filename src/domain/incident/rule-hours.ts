/** Hours of operation of an incident rule (schema §8.2): windows of the day, in a time zone, that count or don't. */

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface HoursWindow {
  /** `HH:MM`; an end before the start is that of the next day, an equal one means the whole day. */
  start: string;
  end: string;
  /** Outside of the window, instead of in it. */
  negate?: boolean | undefined;
  /** On which days it starts; all when nothing is said. */
  days?: readonly Weekday[] | undefined;
  /** UTC when nothing is said. */
  tz?: string | undefined;
}

const MINUTES_A_DAY = 24 * 60;

/** Whether this machine knows the zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const READERS = new Map<string, Intl.DateTimeFormat>();

/** Making one costs more than a hundred readings with it. */
function readerOf(timeZone: string): Intl.DateTimeFormat {
  const known = READERS.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  READERS.set(timeZone, made);
  return made;
}

/** Minutes since midnight of `HH:MM`. */
export function minutesOf(clock: string): number {
  const [hours = '0', minutes = '0'] = clock.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** Minute of the day and day of the week (Monday is 0) that clocks in the zone show. */
export function localTime(atMs: number, timeZone: string): { minute: number; day: number } {
  const parts = readerOf(timeZone).formatToParts(atMs);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  const weekday = part('weekday').slice(0, 3).toLowerCase();
  return {
    minute: Number(part('hour')) * 60 + Number(part('minute')),
    day: WEEKDAYS.findIndex((name) => name === weekday),
  };
}

function isInWindow(window: HoursWindow, atMs: number): boolean {
  const { minute, day } = localTime(atMs, window.tz ?? 'UTC');
  const [start, end] = [minutesOf(window.start), minutesOf(window.end)];
  const lengthMin = end > start ? end - start : end - start + MINUTES_A_DAY;
  const sinceStart = (minute - start + MINUTES_A_DAY) % MINUTES_A_DAY;
  if (sinceStart >= lengthMin) return false;
  // After midnight the window is that of the day before.
  const startedOn = minute >= start ? day : (day + WEEKDAYS.length - 1) % WEEKDAYS.length;
  const days = window.days ?? [];
  return days.length === 0 || days.some((name) => WEEKDAYS.indexOf(name) === startedOn);
}

/** True when a rule with these windows is in operation: in any of the plain ones, in none of the negated. */
export function isInOperation(windows: readonly HoursWindow[], atMs: number): boolean {
  const plain = windows.filter((window) => window.negate !== true);
  const negated = windows.filter((window) => window.negate === true);
  if (negated.some((window) => isInWindow(window, atMs))) return false;
  return plain.length === 0 || plain.some((window) => isInWindow(window, atMs));
}
