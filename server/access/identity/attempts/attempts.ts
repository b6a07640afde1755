/**
 * Whose attempts count where. Invariants: what fails, whatever kind of sign-in it is, counts for the place it came
 * from (network-place.ts), and a place that failed too often is turned away before any work is done; all ways to
 * try a password share their counts; no stranger can use up the attempts of somebody whose device is known. A device
 * counts as known for passwords once it signed in, for second factors once it showed one, so that who only stole a
 * password gains no attempts by making up devices.
 */
import type { Database } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createAttemptLimiter } from './attempt-limiter.ts';
import type { AttemptLimiter } from './attempt-limiter.ts';
import { networkKey } from './network-key.ts';
import { hashToken } from '../../../platform/crypto/secrets.ts';
import { isKnownDevice } from '../queries/session-query.ts';
import type { Aal } from '../queries/session-query.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Per place (or known device) and account: enough for fingers that slip, far too few to guess. */
const PASSWORDS = { attempts: 10, windowMs: 5 * MINUTE_MS };
/** Failures of any kind from one place: a whole office makes fewer, and known devices are not counted here. */
const FAILURES_PER_PLACE = { attempts: 50, windowMs: 5 * MINUTE_MS };
/** Wrong passwords for one account from everywhere together; kept for a day, so more keys are kept. */
const STRANGERS_PER_ACCOUNT = { attempts: 50, windowMs: DAY_MS, maxKeys: 100_000 };
/** A code has six digits and three of them fit at a time: ten an hour are one success in four years. */
const SECOND_FACTORS = { attempts: 10, windowMs: HOUR_MS };
/** Mailed codes of six digits: at twenty a day, one guess in 137 years. */
const CODES_PER_ADDRESS = { attempts: 20, windowMs: DAY_MS, maxKeys: 100_000 };
const MAILS = { attempts: 5, windowMs: HOUR_MS };
const MAILS_PER_ADDRESS = { attempts: 20, windowMs: HOUR_MS };
const MAILS_PER_PLACE = { attempts: 60, windowMs: HOUR_MS };
const REGISTRATIONS_PER_PLACE = { attempts: 20, windowMs: HOUR_MS };

export interface Asker {
  ip: string;
  deviceToken: string | null;
}

export interface Attempt {
  /** 0 when it may go on. */
  retryAfterSeconds: number;
  /** Call it after a success. */
  clear(): void;
}

export interface Account {
  identityId: string | null;
  /** As `identifierOf` writes it. */
  identifier: string;
}

export interface Attempts {
  /** Seconds to wait for somebody without a device of his own, from a place that failed too often. Ask it first. */
  place(asker: Asker): number;
  password(who: Account, asker: Asker): Promise<Attempt>;
  /** A token or link that can't be guessed: only its place counts. */
  token(asker: Asker): Attempt;
  secondFactor(identityId: string, asker: Asker): Promise<Attempt>;
  /** Six digits that were mailed to an address. */
  code(who: Account, asker: Asker): Promise<Attempt>;
  /** Seconds to wait; the same for addresses that nobody has. */
  mail(to: { identityId: string | null; address: string }, asker: Asker): Promise<number>;
  registration(asker: Asker): number;
}

/** What somebody typed as the name of an account, as it is looked up and counted: one spelling for all ways in. */
export function identifierOf(typed: string): string {
  return typed.trim().toLowerCase();
}

interface Count {
  limiter: AttemptLimiter;
  key: string;
  /** Shared by others: a success takes back its own attempt only. */
  isShared?: true;
}

/** Counts at each until one refuses: what is refused there doesn't use up the later ones. */
function takeAll(counts: readonly Count[]): Attempt {
  const clear = () => {
    for (const { limiter, key, isShared } of counts) {
      if (isShared) limiter.refund(key);
      else limiter.clear(key);
    }
  };
  for (const { limiter, key } of counts) {
    const retryAfterSeconds = limiter.take(key);
    if (retryAfterSeconds > 0) return { retryAfterSeconds, clear };
  }
  return { retryAfterSeconds: 0, clear };
}

/** All limits of sign-in, registration and mail of this process. */
export function createAttempts({ db, platform }: { db: Database; platform: Platform }): Attempts {
  const passwords = createAttemptLimiter(platform, PASSWORDS);
  const networks = createAttemptLimiter(platform, FAILURES_PER_PLACE);
  const strangers = createAttemptLimiter(platform, STRANGERS_PER_ACCOUNT);
  const secondFactors = createAttemptLimiter(platform, SECOND_FACTORS);
  const codes = createAttemptLimiter(platform, CODES_PER_ADDRESS);
  const mails = createAttemptLimiter(platform, MAILS);
  const mailsPerAddress = createAttemptLimiter(platform, MAILS_PER_ADDRESS);
  const mailsPerNetwork = createAttemptLimiter(platform, MAILS_PER_PLACE);
  const registrations = createAttemptLimiter(platform, REGISTRATIONS_PER_PLACE);

  async function deviceKey(identityId: string | null, asker: Asker, aal: Aal): Promise<string | null> {
    if (identityId === null || asker.deviceToken === null) return null;
    const deviceMark = hashToken('device', asker.deviceToken);
    const isKnown = await isKnownDevice(db, { identityId, deviceMark, aal });
    return isKnown ? `device ${deviceMark} ${identityId}` : null;
  }
  const byNetwork = ({ ip }: Asker): Count => ({ limiter: networks, key: networkKey(ip), isShared: true });

  return {
    place: ({ ip, deviceToken }) => (deviceToken === null ? networks.peek(networkKey(ip)) : 0),
    async password({ identityId, identifier }, asker) {
      const device = await deviceKey(identityId, asker, 'aal1');
      if (device !== null) return takeAll([{ limiter: passwords, key: device }]);
      return takeAll([
        byNetwork(asker),
        { limiter: passwords, key: `place ${networkKey(asker.ip)} ${identifier}` },
        { limiter: strangers, key: identifier, isShared: true },
      ]);
    },
    token: (asker) => takeAll([byNetwork(asker)]),
    async secondFactor(identityId, asker) {
      const device = await deviceKey(identityId, asker, 'aal2');
      if (device !== null) return takeAll([{ limiter: secondFactors, key: device }]);
      return takeAll([byNetwork(asker), { limiter: secondFactors, key: `account ${identityId}` }]);
    },
    async code({ identityId, identifier }, asker) {
      const device = await deviceKey(identityId, asker, 'aal1');
      if (device !== null) return takeAll([{ limiter: codes, key: device }]);
      return takeAll([byNetwork(asker), { limiter: codes, key: `address ${identifier}` }]);
    },
    async mail({ identityId, address }, asker) {
      const device = await deviceKey(identityId, asker, 'aal1');
      if (device !== null) return mails.take(device);
      const place = networkKey(asker.ip);
      return Math.max(
        mails.take(`${place} ${address}`),
        mailsPerNetwork.take(place),
        mailsPerAddress.take(address),
      );
    },
    registration: ({ ip }) => registrations.take(networkKey(ip)),
  };
}
