/**
 * The server's clock as seen from here. Each answer bounds the offset: the server wrote its time after we sent
 * and before we received. Bounds are intersected, so the estimate only gets better; one that contradicts them
 * means that a clock was set, and starts anew.
 * Invariant: it never says less than the newest time that the server has told, plus what has passed since by a
 * clock that nobody can set; only the server itself takes that back. So a device whose clock is slow, or was set
 * back, never takes old data for new (design §4 law 11).
 */

/** What is worth keeping for the next start, ms. */
export interface StoredClock {
  offsetMs: number;
  /** The newest time that the server has told. */
  newestMs: number;
}

export interface ClockAnswer {
  /** By the device's clock; −∞ where nobody knows when it was asked. */
  sentMs: number;
  receivedMs: number;
  serverMs: number;
  resolutionMs: number;
}

export interface ServerClock {
  /** server − device, ms. */
  offsetMs(): number;
  /** The server's time now, ms since 1970. */
  now(): number;
  /** The newest time that the server has told and what has passed since; never ahead of it, −∞ before any. */
  told(): number;
  /** `told()`; `now()` where the server tells no time (another origin hides it). */
  certain(): number;
  observe(answer: ClockAnswer): void;
  /** A time that came unasked: it was written before now, how long ago is not known. */
  observePushed(serverMs: number): void;
  /** Null before the server has told any time. */
  kept(): StoredClock | null;
  /** What an earlier visit knew; any answer of this one weighs more. */
  restore(kept: StoredClock): void;
}

export interface ClockSources {
  /** ms since 1970, this device's clock. */
  now(): number;
  /** ms that only ever grow. */
  elapsed(): number;
}

/** The offset that lies in the middle of what is known; null before anything is. */
function middleOf(low: number, high: number): number | null {
  if (Number.isFinite(low) && Number.isFinite(high)) return Math.round((low + high) / 2);
  return Number.isFinite(low) ? low : null;
}

/** Before any answer it goes by the device's clock and what was restored. */
export function createServerClock(device: ClockSources): ServerClock {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let restoredOffsetMs = 0;
  let newest: { serverMs: number; elapsedMs: number } | null = null;

  const floorMs = () =>
    newest === null ? Number.NEGATIVE_INFINITY : newest.serverMs + device.elapsed() - newest.elapsedMs;
  const now = () => Math.max(device.now() + (middleOf(low, high) ?? restoredOffsetMs), floorMs());
  const noteNewest = (serverMs: number) => {
    newest = { serverMs, elapsedMs: device.elapsed() };
  };

  const observe = ({ sentMs, receivedMs, serverMs, resolutionMs }: ClockAnswer) => {
    if (!Number.isFinite(serverMs)) return;
    const from = serverMs - receivedMs;
    const until = serverMs + resolutionMs - sentMs;
    const isContradiction = from > high || until < low;
    low = isContradiction ? from : Math.max(low, from);
    high = isContradiction ? until : Math.min(high, until);
    // Its answer was written after the question, so its clock can't be past this: it was set back.
    const isSetBack = floorMs() > serverMs + resolutionMs + (receivedMs - sentMs);
    if (isSetBack || serverMs > floorMs()) noteNewest(serverMs);
  };

  return {
    offsetMs: () => Math.round(now() - device.now()),
    now,
    told: floorMs,
    certain: () => (Number.isFinite(floorMs()) ? floorMs() : now()),
    observe,
    observePushed: (serverMs) =>
      observe({ sentMs: Number.NEGATIVE_INFINITY, receivedMs: device.now(), serverMs, resolutionMs: 0 }),
    kept: () =>
      newest === null ? null : { offsetMs: Math.round(now() - device.now()), newestMs: newest.serverMs },
    restore({ offsetMs, newestMs }) {
      restoredOffsetMs = offsetMs;
      if (newestMs > floorMs()) noteNewest(newestMs);
    },
  };
}
