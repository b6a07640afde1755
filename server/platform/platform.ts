/** Ambient power of the server program: clock, ids, randomness, timers. Passed in everywhere else (style 11). */
import { randomBytes } from 'node:crypto';

export interface Platform {
  /** ms since 1970 */
  now(): number;
  /** A new id: a ULID written as uuid, so that ids sort by creation (schema, "Ids"). */
  newId(): string;
  /** In [0, 1). */
  random(): number;
  /** Random bytes as lower-case hex. */
  secret(sizeBytes: number): string;
  /** Resolves after `delayMs`, or at once when the signal aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** Of ids of one millisecond, the later ones are the larger ones; as `generate_ulid` of the database has it. */
const NUMBERS = 2 ** 28;
let number = 0;

/** 48 bits of time, 28 of the number, 52 that are random. */
function ulidAsUuid(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0');
  number = (number + 1) % NUMBERS;
  const hex = time + number.toString(16).padStart(7, '0') + randomBytes(7).toString('hex').slice(0, 13);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** ms that only ever grow, whatever happens to the clock. */
export function elapsedMs(): number {
  return performance.now();
}

export const nodePlatform: Platform = {
  now: () => Date.now(),
  newId: () => ulidAsUuid(Date.now()),
  random: () => Math.random(),
  secret: (sizeBytes) => randomBytes(sizeBytes).toString('hex'),
  sleep,
};
