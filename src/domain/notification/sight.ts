/** When a server could not see: its clock jumped, it was stopped, its network was gone. Pure; times are handed in. */

/** Two looks of the server at its clocks, ms. `elapsed` grows by itself and cannot be set. */
export interface ClockLook {
  wallMs: number;
  elapsedMs: number;
}

export type ClockJump =
  /** The machine slept, the program was stopped, or the clock was put forward: nothing was seen in between. */
  | { kind: 'gap'; sinceMs: number; untilMs: number }
  /** The clock was put back by so much. */
  | { kind: 'back'; byMs: number; atMs: number };

const SECOND_MS = 1000;
/** Clocks that are kept in step are set by less than this. */
export const JUMP_MS = 30 * SECOND_MS;
/** A busy machine looks late; later than this it was stopped. */
export const STOPPED_MS = 90 * SECOND_MS;

/** What happened between two looks; null when nothing did. */
export function jumpBetween(before: ClockLook, now: ClockLook): ClockJump | null {
  const elapsedMs = now.elapsedMs - before.elapsedMs;
  const setMs = now.wallMs - before.wallMs - elapsedMs;
  if (setMs < -JUMP_MS) return { kind: 'back', byMs: -setMs, atMs: now.wallMs };
  if (setMs > JUMP_MS || elapsedMs > STOPPED_MS)
    return { kind: 'gap', sinceMs: before.wallMs, untilMs: now.wallMs };
  return null;
}

/** An agent that was not heard of for so long is silent; its page says so after 61 s. */
export const AGENT_SILENT_MS = 90 * SECOND_MS;
/** Who was silent before that is no news: what he said is unknown, and nobody is told. */
export const AGENT_FORGOTTEN_MS = 24 * 3600 * SECOND_MS;
/** So long it lasts before anybody is told: a line that comes back at once is no news either. */
export const TELL_AFTER_MS = 15 * SECOND_MS;

/** Whether what fails is called elsewhere by the network: what fails on this machine itself is seen all the same. */
export function needsNetwork(checkType: string): boolean {
  return !LOCAL_TYPES.has(checkType);
}
const LOCAL_TYPES: ReadonlySet<string> = new Set(['exec', 'folder', 'junit', 'catalog', 'webhook']);
