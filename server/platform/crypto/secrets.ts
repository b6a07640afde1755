/** One-way marks of secrets and their comparison; nothing here can turn a stored value back into a secret. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Size of every token that we hand out: 256 bits can't be guessed, so a plain hash of it is safe to store. */
export const TOKEN_BYTES = 32;

/** What is stored in place of a random token. Not for passwords: those are guessable and need Argon2id. */
export function hashToken(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  // A length before each part: 'ab','c' and 'a','bc' must not meet.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
}

/** Compares two marks in time that doesn't depend on where they differ. */
export function isSameMark(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
