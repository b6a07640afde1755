import type { CheckStatus } from './check.ts';

/** The History tab's filters (spec 1 §2, §9). */
export const STATUS_FILTERS = ['All', 'Healthy', 'Unhealthy'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export const DURATION_PRESETS = ['All', '100ms', '500ms', '1s', '5s', '10s', '30s'] as const;

/** The text for anything but Nms or Ns (spec 1 §5). */
export const DURATION_FILTER_ERROR = 'duration is allowed only in milli seconds & seconds';

export type DurationFilter = { ok: true; minMs: number | null } | { ok: false; error: string };

const DURATION = /^(\d{1,9})(ms|s)$/;

/** Parses a duration filter: `All` or empty means none, `Nms` and `Ns` are minimum durations. */
export function parseDurationFilter(text: string): DurationFilter {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'All') return { ok: true, minMs: null };
  const match = DURATION.exec(trimmed);
  if (match === null) return { ok: false, error: DURATION_FILTER_ERROR };
  const amount = Number(match[1]);
  return { ok: true, minMs: match[2] === 's' ? amount * 1000 : amount };
}

/** True when a stored run passes both filters. */
export function matchesHistory(run: CheckStatus, status: StatusFilter, minMs: number | null): boolean {
  if (status !== 'All' && run.status !== (status === 'Healthy')) return false;
  return minMs === null || (run.duration ?? 0) >= minMs;
}
