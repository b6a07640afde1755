/** Time ranges and refresh rates of the health page (spec 1 §4, §9). */
export const TIME_RANGES = [
  { value: '15m', minutes: 15 },
  { value: '1h', minutes: 60 },
  { value: '2h', minutes: 120 },
  { value: '3h', minutes: 180 },
  { value: '6h', minutes: 360 },
  { value: '12h', minutes: 720 },
  { value: '1d', minutes: 1440 },
  { value: '2d', minutes: 2880 },
  { value: '3d', minutes: 4320 },
  { value: '1w', minutes: 10_080 },
  { value: '2w', minutes: 20_160 },
  { value: '3w', minutes: 30_240 },
  { value: '1mo', minutes: 43_200 },
  { value: '2mo', minutes: 86_400 },
  { value: '3mo', minutes: 129_600 },
  { value: '6mo', minutes: 259_200 },
  { value: '1y', minutes: 518_400 },
  { value: '2y', minutes: 1_036_800 },
  { value: '3y', minutes: 1_555_200 },
  { value: '5y', minutes: 2_592_000 },
] as const;

export type TimeRange = (typeof TIME_RANGES)[number]['value'];
export const DEFAULT_TIME_RANGE: TimeRange = '1h';

/** For ranges out of links and settings. */
export function isTimeRange(text: string): text is TimeRange {
  return TIME_RANGES.some((range) => range.value === text);
}

/** One hour for a range that isn't known. */
export function rangeMinutes(range: TimeRange): number {
  return TIME_RANGES.find((known) => known.value === range)?.minutes ?? 60;
}

/** When a range that ends at `nowMs` begins, ms. */
export function rangeStart(range: TimeRange, nowMs: number): number {
  return nowMs - rangeMinutes(range) * 60_000;
}

export const REFRESH_RATES = ['None', '15s', '30s', '60s', '2m', '3m', '5m', '10m', '15m'] as const;
export type RefreshRate = (typeof REFRESH_RATES)[number];
export const DEFAULT_REFRESH_RATE: RefreshRate = '60s';

const RATE_SECONDS: Record<RefreshRate, number | null> = {
  None: null,
  '15s': 15,
  '30s': 30,
  '60s': 60,
  '2m': 120,
  '3m': 180,
  '5m': 300,
  '10m': 600,
  '15m': 900,
};

/** For rates out of links and settings. */
export function isRefreshRate(text: string): text is RefreshRate {
  return text in RATE_SECONDS;
}

/** Milliseconds between two refreshes; null for None. */
export function refreshMs(rate: RefreshRate): number | null {
  const seconds = RATE_SECONDS[rate];
  return seconds === null ? null : seconds * 1000;
}

/** 60 minutes or more disable 15s and 30s; 180 or more also 2m and 3m (spec 1 §4, to the letter). */
export function isRateAllowed(rate: RefreshRate, range: TimeRange): boolean {
  const minutes = rangeMinutes(range);
  if (minutes >= 60 && (rate === '15s' || rate === '30s')) return false;
  return !(minutes >= 180 && (rate === '2m' || rate === '3m'));
}

/** The chosen rate, or the next allowed one after it, or None (spec 1 §4). */
export function allowedRate(rate: RefreshRate, range: TimeRange): RefreshRate {
  if (rate === 'None') return rate;
  return (
    REFRESH_RATES.slice(REFRESH_RATES.indexOf(rate)).find((next) => isRateAllowed(next, range)) ?? 'None'
  );
}

/** The drawer's first range, from the age of the check's last run: the smallest from 1h up that covers it. */
export function rangeForAge(ageMs: number | null): TimeRange {
  if (ageMs === null) return DEFAULT_TIME_RANGE;
  const minutes = ageMs / 60_000;
  return TIME_RANGES.find((range) => range.minutes >= 60 && range.minutes >= minutes)?.value ?? '5y';
}
