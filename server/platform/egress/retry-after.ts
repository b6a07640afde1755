/** What a service asks for in `Retry-After`: seconds or a date (RFC 9110). */

const LONGEST_MS = 3_600_000;

/** Null where nothing is asked for; never more than an hour. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const waitMs = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), LONGEST_MS) : null;
}
