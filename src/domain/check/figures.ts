/**
 * Uptime and latency that a check's row carries are of the last hour, or of its newest run where nothing ran since
 * (schema §1.6). Whoever shows them as those of a range shows only what is of that range: a run of long ago is told
 * by `last_runtime`, never as today's uptime.
 */
import type { Check, Latency, Uptime } from './check.ts';

export const FIGURES_MS = 3_600_000;

/** When the newest run ended that the figures are of; NaN where they don't say. */
function newestRunMs({ last_pass: pass, last_fail: fail }: Uptime): number {
  const times = [pass, fail].flatMap((at) => (typeof at === 'string' ? [Date.parse(at)] : []));
  return times.length === 0 ? Number.NaN : Math.max(...times);
}

/** When the figures are no longer those of the last hour, ms; Infinity where they don't say. */
export function figuresUntilMs({ uptime }: Pick<Check, 'uptime'>): number {
  const newest = newestRunMs(uptime);
  return Number.isNaN(newest) ? Number.POSITIVE_INFINITY : newest + FIGURES_MS;
}

/** True when the figures are of runs that the last hour knows nothing of. `nowMs` is the server's clock. */
export function areFiguresOld(check: Pick<Check, 'uptime'>, nowMs: number): boolean {
  return nowMs >= figuresUntilMs(check);
}

/** The figures of the last hour: none where nothing ran. */
export function figuresOfHour(
  check: Pick<Check, 'uptime' | 'latency'>,
  nowMs: number,
): { uptime: Uptime; latency: Latency } {
  if (areFiguresOld(check, nowMs)) return { uptime: { passed: 0, failed: 0 }, latency: {} };
  return { uptime: check.uptime, latency: check.latency };
}
