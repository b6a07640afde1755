/** When a line of a log says that it was written. What has no zone is taken as UTC, which is what servers write. */
const ISO =
  /^[\s[(]{0,4}(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z\b|[+-]\d\d:?\d\d\b)?/;
const KLOG = /^[IWEF](\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{1,9})/;
const ACCESS = /\[(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d{4})\]/;
const SYSLOG = /^(?:<\d{1,3}>)?([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)\b/;
const LOGFMT = /(?:^|\s)(?:time|ts|timestamp|t)="?([0-9TZ:.+-]{10,40})"?/;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const TIME_FIELDS = ['@timestamp', 'timestamp', 'time', 'ts', 'date', 'datetime'] as const;
/** Nothing further in tells when the line was written. */
const LOOKED_AT = 300;
const DAY_MS = 86_400_000;
const FIRST_MS = Date.UTC(1990, 0);
const LAST_MS = Date.UTC(2200, 0);

const inTime = (ms: number): number | null =>
  Number.isFinite(ms) && ms >= FIRST_MS && ms < LAST_MS ? Math.floor(ms) : null;

function zoneMs(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const fractionMs = (text = '0'): number => Number(`0.${text}`) * 1000;

function isoMs(text: string): number | null {
  const found = ISO.exec(text);
  if (found === null) return null;
  const [, year, month, day, hour, minute, second = '0', fraction, zone] = found;
  const at = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return inTime(at + fractionMs(fraction) - zoneMs(zone));
}

/** Of a date without its year: the last such day before tomorrow. */
function inLastYear(at: (year: number) => number, nowMs: number): number | null {
  const year = new Date(nowMs).getUTCFullYear();
  const ms = at(year);
  return inTime(ms > nowMs + DAY_MS ? at(year - 1) : ms);
}

/** A value of a field: a text, or seconds, milliseconds, micro- or nanoseconds since 1970. */
export function timeOfValue(value: unknown): number | null {
  if (value instanceof Date) return inTime(value.getTime());
  if (typeof value === 'string') {
    if (/^\d{9,19}(\.\d+)?$/.test(value)) return timeOfValue(Number(value));
    return isoMs(value) ?? (/^[A-Z]/.test(value) ? inTime(Date.parse(value)) : null);
  }
  if (typeof value !== 'number' || value <= 0) return null;
  if (value < 1e11) return inTime(value * 1000);
  if (value < 1e14) return inTime(value);
  return inTime(value < 1e17 ? value / 1e3 : value / 1e6);
}

/** Of a line of structured logging. */
export function timeOfFields(fields: Readonly<Record<string, unknown>>): number | null {
  for (const name of TIME_FIELDS) {
    const at = Object.hasOwn(fields, name) ? timeOfValue(fields[name]) : null;
    if (at !== null) return at;
  }
  return null;
}

/** ms since 1970, null where the line doesn't say it; `nowMs` tells the year where only day and month are written. */
export function timeOfLine(line: string, nowMs: number): number | null {
  const head = line.slice(0, LOOKED_AT);
  const iso = isoMs(head);
  if (iso !== null) return iso;
  const klog = KLOG.exec(head);
  if (klog !== null) {
    const [, month, day, hour, minute, second, fraction] = klog;
    return inLastYear(
      (year) =>
        Date.UTC(year, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) +
        fractionMs(fraction),
      nowMs,
    );
  }
  const syslog = SYSLOG.exec(head);
  if (syslog !== null) {
    const [, month = '', day, hour, minute, second] = syslog;
    const at = MONTHS.indexOf(month);
    if (at >= 0)
      return inLastYear(
        (year) => Date.UTC(year, at, Number(day), Number(hour), Number(minute), Number(second)),
        nowMs,
      );
  }
  const access = ACCESS.exec(head);
  if (access !== null) {
    const [, day, month = '', year, hour, minute, second, zone] = access;
    const at = Date.UTC(
      Number(year),
      MONTHS.indexOf(month),
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
    );
    return inTime(at - zoneMs(zone));
  }
  const field = LOGFMT.exec(head)?.[1];
  return field === undefined ? null : timeOfValue(field);
}
