/** How times and durations are written. All inputs are ms; `nowMs` is the server's clock. */
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

function trim(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, '');
}

/** Under 1000 as ms, under 60000 as s, then m, then h (spec 1 §9). */
export function formatDuration(durationMs: number): string {
  if (durationMs < SECOND_MS) return `${Math.round(durationMs)}ms`;
  if (durationMs < MINUTE_MS) return `${trim(durationMs / SECOND_MS)}s`;
  if (durationMs < HOUR_MS) return `${trim(durationMs / MINUTE_MS)}m`;
  return `${trim(durationMs / HOUR_MS)}h`;
}

const UNITS = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['m', MINUTE_MS],
  ['s', SECOND_MS],
] as const;

/** How long something lasted, such as `2d 3h 5m 8s`; under a second in ms (spec 3 §9). Never negative. */
export function formatSpan(spanMs: number): string {
  if (spanMs < SECOND_MS) return `${Math.max(0, Math.floor(spanMs))}ms`;
  let restMs = spanMs;
  const parts: string[] = [];
  for (const [unit, unitMs] of UNITS) {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join(' ');
}

/** A short age such as `12s`, `4m`, `3h`, `2d`, `5w`, `8mo`, `2y`. Negative ages read as 0s. */
export function formatAge(ageMs: number): string {
  const age = Math.max(0, ageMs);
  if (age < MINUTE_MS) return `${Math.floor(age / SECOND_MS)}s`;
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)}m`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)}h`;
  if (age < 14 * DAY_MS) return `${Math.floor(age / DAY_MS)}d`;
  if (age < 60 * DAY_MS) return `${Math.floor(age / (7 * DAY_MS))}w`;
  if (age < 730 * DAY_MS) return `${Math.floor(age / (30 * DAY_MS))}mo`;
  return `${Math.floor(age / (365 * DAY_MS))}y`;
}

/** Percent with one decimal (spec 1 §9); null when nothing ran. */
export function uptimePercent(uptime: { passed: number; failed: number }): number | null {
  const total = uptime.passed + uptime.failed;
  return total === 0 ? null : (uptime.passed / total) * 100;
}

/** `99.5%`. Never rounds a failure away: anything below 100 shows at most 99.9%. */
export function formatPercent(percent: number): string {
  const capped = percent < 100 ? Math.min(percent, 99.9) : percent;
  return `${capped.toFixed(1)}%`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayClock = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** `10:42` within a day of now, else with the date. */
export function formatClock(atMs: number, nowMs: number): string {
  return Math.abs(nowMs - atMs) < DAY_MS / 2 ? clock.format(atMs) : dayClock.format(atMs);
}

const second = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** `Nov 22, 10:42:07`: an instant among others of its time, in the viewer's zone. */
export function formatSecond(atMs: number): string {
  return second.format(atMs);
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** The day in the viewer's zone, in full. */
export function formatDay(atMs: number): string {
  return day.format(atMs);
}

/** The whole instant in the viewer's zone, for tooltips. */
export function formatInstant(atMs: number): string {
  return full.format(atMs);
}
