/**
 * Password hashes: Argon2id with the parameters that OWASP names as the least (19 MiB, 2 passes, 1 lane). Few are
 * made at a time: hashing for strangers must not take the machine from those who are signed in.
 */
import { hash, verify } from '@node-rs/argon2';
import { createWorkLimit } from '../../../platform/crypto/work-limit.ts';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Longer input is refused before hashing, so that nobody makes us hash megabytes. */
export const MAX_PASSWORD_LENGTH = 256;

/** Two at a time make some fifty a second; two hundred in the queue wait four seconds. */
export const argon2Limit = createWorkLimit({ running: 2, waiting: 200 });

/** In the PHC format, salt and parameters included; waits its turn. */
export function hashPassword(password: string): Promise<string> {
  return argon2Limit.run(() => hash(password, COST));
}

let unknownUserHash: Promise<string> | null = null;

/**
 * True when the password fits the stored hash. With no hash (unknown or password-less user) it does the same
 * work and says no, so that the time of the answer doesn't tell which e-mail addresses exist.
 */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_PASSWORD_LENGTH) return false;
  unknownUserHash ??= hashPassword('nobody has this password');
  const compared = stored ?? (await unknownUserHash);
  const isRight = await argon2Limit.run(() => verify(compared, password));
  return isRight && stored !== null;
}
