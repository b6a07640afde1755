/** Waiting longer after each failure, at a random moment of the span, so that many clients don't return at once. */
const BASE_MS = 500;
const CAP_MS = 30_000;

/** Full jitter: anywhere from 0 to the doubling span of that many failures; at least what the server asked for. */
export function backoffMs(failures: number, random: () => number, retryAfterMs: number | null): number {
  const span = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(failures, 10));
  return Math.max(retryAfterMs ?? 0, Math.round(random() * span));
}
