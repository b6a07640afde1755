/** The hours of a silence as they are stored: a column that may hold anything, read once. */
import { recordOf } from '../../lib/is-record.ts';
import { isTimeZone, WEEKDAYS, type HoursWindow } from '../incident/rule-hours.ts';

/** Hours that nobody can read must not silence for longer than they say: never is the safe reading. */
const NEVER: readonly HoursWindow[] = [{ start: '00:00', end: '00:00', negate: true }];

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const DAYS: ReadonlySet<unknown> = new Set(WEEKDAYS);

/** Why a window of the day can't be read; null when it can. */
export function windowProblem(window: unknown): string | null {
  const { start, end, tz, days } = recordOf(window);
  const isClock = (text: unknown) => typeof text === 'string' && CLOCK.test(text);
  if (!isClock(start) || !isClock(end)) return 'start and end are times of day, such as 22:00';
  if (tz !== undefined && (typeof tz !== 'string' || !isTimeZone(tz)))
    return 'tz is not a time zone; write one such as Europe/Berlin';
  if (days !== undefined && !(Array.isArray(days) && days.every((day) => DAYS.has(day))))
    return `days are some of ${WEEKDAYS.join(', ')}`;
  return null;
}

function windowOf(value: unknown): HoursWindow {
  const { start, end, days, tz, negate } = recordOf(value);
  const named = Array.isArray(days) ? WEEKDAYS.filter((day) => days.includes(day)) : [];
  return {
    start: String(start),
    end: String(end),
    ...(named.length === 0 ? {} : { days: named }),
    ...(typeof tz === 'string' ? { tz } : {}),
    ...(negate === true ? { negate } : {}),
  };
}

/** The windows of a column; empty for none. */
export function windowsOf(recurrence: unknown): readonly HoursWindow[] {
  if (recurrence === null || recurrence === undefined) return [];
  if (!Array.isArray(recurrence) || recurrence.some((window) => windowProblem(window) !== null)) return NEVER;
  return recurrence.map(windowOf);
}
