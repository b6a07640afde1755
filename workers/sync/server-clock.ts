/**
 * The server's clock as seen from here. Each answer bounds the offset: the server wrote its time after we sent
 * and before we received. Bounds are intersected, so the estimate only gets better; one that contradicts them
 * means that a clock was set, and starts anew.
 */
export interface ServerClock {
  /** server − device, ms. */
  offsetMs(): number;
  /** The server's time now, ms since 1970. */
  now(): number;
  observe(answer: { sentMs: number; receivedMs: number; serverMs: number; resolutionMs: number }): void;
}

export function createServerClock(deviceNow: () => number): ServerClock {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  const offsetMs = () => (Number.isFinite(low) && Number.isFinite(high) ? Math.round((low + high) / 2) : 0);
  return {
    offsetMs,
    now: () => deviceNow() + offsetMs(),
    observe({ sentMs, receivedMs, serverMs, resolutionMs }) {
      if (!Number.isFinite(serverMs)) return;
      const from = serverMs - receivedMs;
      const until = serverMs + resolutionMs - sentMs;
      const isContradiction = from > high || until < low;
      low = isContradiction ? from : Math.max(low, from);
      high = isContradiction ? until : Math.min(high, until);
    },
  };
}
