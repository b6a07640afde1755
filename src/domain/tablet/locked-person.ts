/** The rules of a shared tablet (docs/decisions/0057): PINs, tries, and how long what is locked away stays. */

/** So many wrong PINs in a row delete what they were tried on. */
export const MAX_WRONG = 5;
/** Nobody touched the tablet for this long: it is locked. */
export const IDLE_MS = 5 * 60_000;
export const SHIFT_HOURS = [4, 8, 10, 12] as const;
export const DEFAULT_SHIFT_HOURS = 12;
export const LONGEST_SHIFT_HOURS = Math.max(...SHIFT_HOURS);
const HOUR_MS = 3_600_000;
/** What was not sent outlives the shift by this much, locked. */
const UNSENT_MS = 24 * HOUR_MS;

const PIN = /^\d{6,12}$/;
/** Rows and runs of keys, and their like: what is tried first. */
const RUNS = '01234567890987654321';

/** Why it is no PIN to take; null where it is. */
export function problemOfPin(pin: string): 'form' | 'guessable' | null {
  if (!PIN.test(pin)) return 'form';
  return new Set(pin).size < 3 || RUNS.includes(pin) ? 'guessable' : null;
}

/** When a shift that begins now ends, ms. */
export const endOfShift = (nowMs: number, hours: number): number => nowMs + hours * HOUR_MS;

/** What is known of a locked person without the PIN. */
export interface ShiftFacts {
  endsAtMs: number;
  /** Commands that have not left this device. */
  hasUnsent: boolean;
}

/**
 * When whoever comes on now has to be off, ms: at the end of the shift; whoever comes after it, to send what was not sent,
 * when that is deleted.
 */
export function timeToLock({ endsAtMs }: Pick<ShiftFacts, 'endsAtMs'>, nowMs: number): number {
  return nowMs < endsAtMs ? endsAtMs : endsAtMs + UNSENT_MS;
}

/** Whether all of it is to be deleted by now. */
export function isToBeWiped({ endsAtMs, hasUnsent }: ShiftFacts, nowMs: number): boolean {
  return nowMs >= endsAtMs + (hasUnsent ? UNSENT_MS : 0);
}
