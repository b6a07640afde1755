/**
 * Whose attempts count where. Invariant: no stranger can use up the attempts of somebody whose device is known;
 * a device counts as known for passwords once it signed in, for second factors once it showed one, so that who
 * only stole a password gains no attempts by making up devices.
 */
import type { Database } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { createAttemptLimiter } from './attempt-limiter.ts';
import type { AttemptLimiter } from './attempt-limiter.ts';
import { markOf } from './secrets.ts';
import { isKnownDevice } from './session-query.ts';
import type { Aal } from './session-query.ts';

const HOUR_MS = 3_600_000;
/** A code has six digits and three of them fit at a time: ten an hour are one success in four years. */
const SECOND_FACTORS = { attempts: 10, windowMs: HOUR_MS };
const MAILS = { attempts: 5, windowMs: HOUR_MS };
const MAILS_PER_ADDRESS = { attempts: 20, windowMs: HOUR_MS };
const MAILS_PER_IP = { attempts: 60, windowMs: HOUR_MS };
const REGISTRATIONS_PER_IP = { attempts: 20, windowMs: HOUR_MS };

interface Asker {
  ip: string;
  deviceToken: string | null;
}

export interface Attempt {
  /** 0 when it may go on. */
  retryAfterSeconds: number;
  /** Call it after a success. */
  clear(): void;
}

export interface Attempts {
  password(who: { identityId: string | null; identifier: string }, asker: Asker): Promise<Attempt>;
  secondFactor(identityId: string, asker: Asker): Promise<Attempt>;
  /** Seconds to wait; the same for addresses that nobody has. */
  mail(to: { identityId: string | null; address: string }, asker: Asker): Promise<number>;
  registration(asker: Asker): number;
}

export function createAttempts(deps: {
  db: Database;
  platform: Platform;
  passwords: AttemptLimiter;
}): Attempts {
  const { db, platform, passwords } = deps;
  const secondFactors = createAttemptLimiter(platform, SECOND_FACTORS);
  const mails = createAttemptLimiter(platform, MAILS);
  const mailsPerAddress = createAttemptLimiter(platform, MAILS_PER_ADDRESS);
  const mailsPerIp = createAttemptLimiter(platform, MAILS_PER_IP);
  const registrations = createAttemptLimiter(platform, REGISTRATIONS_PER_IP);

  async function deviceKey(identityId: string | null, asker: Asker, aal: Aal): Promise<string | null> {
    if (identityId === null || asker.deviceToken === null) return null;
    const deviceMark = markOf('device', asker.deviceToken);
    const isKnown = await isKnownDevice(db, { identityId, deviceMark, aal });
    return isKnown ? `device ${deviceMark} ${identityId}` : null;
  }

  const take = (limiter: AttemptLimiter, key: string): Attempt => ({
    retryAfterSeconds: limiter.take(key),
    clear: () => limiter.clear(key),
  });

  return {
    async password({ identityId, identifier }, asker) {
      const device = await deviceKey(identityId, asker, 'aal1');
      return take(passwords, device ?? `address ${asker.ip} ${identifier}`);
    },
    async secondFactor(identityId, asker) {
      const device = await deviceKey(identityId, asker, 'aal2');
      return take(secondFactors, device ?? `account ${identityId}`);
    },
    async mail({ identityId, address }, asker) {
      const device = await deviceKey(identityId, asker, 'aal1');
      if (device !== null) return mails.take(device);
      return Math.max(
        mails.take(`${asker.ip} ${address}`),
        mailsPerIp.take(asker.ip),
        mailsPerAddress.take(address),
      );
    },
    registration: (asker) => registrations.take(asker.ip),
  };
}
