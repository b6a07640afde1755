/**
 * Of two programs that call with one agent's token, the one that was there first goes on, and the other stands back. A
 * program that is started anew is a second one, too, until the first has not called for so long that it is gone: the two
 * are told apart by the first, which calls again or does not. Knows neither the database nor a clock.
 */

/** A program as the server knows it. */
export interface KnownProgram {
  id: string;
  host: string;
  /** When it called first and last. */
  sinceMs: number;
  seenMs: number;
}

export interface Programs {
  first: KnownProgram | null;
  second: KnownProgram | null;
}

/** An agent is online for so long (schema §8.1). */
const SILENT_MS = 61_000;

const isThere = (program: KnownProgram | null, nowMs: number): program is KnownProgram =>
  program !== null && nowMs - program.seenMs < SILENT_MS;

/** The program that calls beside the first one, as both are there; null where there is none. */
export function oneTooMany({ first, second }: Programs, nowMs: number): KnownProgram | null {
  const areBoth = isThere(first, nowMs) && isThere(second, nowMs) && first.seenMs > second.sinceMs;
  return areBoth ? second : null;
}

/** After this program called. `standsBack`: it is one too many. */
export function afterCall(
  before: Programs,
  { id, host }: { id: string; host: string },
  nowMs: number,
): Programs & { standsBack: boolean } {
  const { first, second } = before;
  const called = (known: KnownProgram | null): KnownProgram => ({
    id,
    host,
    sinceMs: known?.id === id ? known.sinceMs : nowMs,
    seenMs: nowMs,
  });
  if (first?.id === id) return { first: called(first), second, standsBack: false };
  if (!isThere(first, nowMs)) {
    const known = second?.id === id ? second : null;
    return { first: called(known), second: known === null ? second : null, standsBack: false };
  }
  const standsBack = oneTooMany(before, nowMs) !== null;
  if (second?.id !== id && isThere(second, nowMs)) return { first, second, standsBack };
  return { first, second: called(second), standsBack: standsBack && second?.id === id };
}
