/**
 * How a screen becomes a wall (docs/decisions/0046): it shows a code, somebody who may make accounts confirms it, and the
 * screen fetches its session with the secret that it got together with the code. Invariants: code, secret and session
 * token are stored as marks only; a code is good once and for ten minutes; the token is made when it is fetched. Until the
 * screen comes with its session the secret fetches another one, which ends the one before: an answer may be lost.
 */
import { PAIRING_ALPHABET, type ClaimState, type Pairing } from '../../src/contract/http/walls.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Sessions } from '../access/identity/sessions/sessions.ts';
import { hashToken, TOKEN_BYTES } from '../platform/crypto/secrets.ts';
import type { Database } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import {
  confirmPairing,
  findPairingOfSecret,
  findWaitingPairing,
  insertPairing,
  insertWall,
} from './wall-query.ts';

/** Long enough to walk up to the screen with a phone. */
const PAIRING_MS = 10 * 60_000;
const CODE_LENGTH = 8;
const MAX_USER_AGENT_LENGTH = 400;

interface Parts {
  db: Database;
  platform: Platform;
  sessions: Pick<Sessions, 'openWall'>;
}

interface Screen {
  ip: string;
  userAgent: string;
}

const codeMark = (code: string) => hashToken('wall-code', code);
const secretMark = (secret: string) => hashToken('wall-secret', secret);

/** 40 bits: guessed against a limit on attempts, never stored. The alphabet has 32 signs, so none comes oftener. */
function newCode(platform: Platform): string {
  return [...Buffer.from(platform.secret(CODE_LENGTH), 'hex')]
    .map((byte) => PAIRING_ALPHABET[byte % PAIRING_ALPHABET.length] ?? '')
    .join('');
}

/** A code for a screen to show, and the secret by which it is known. */
export async function startPairing(
  { db, platform }: Omit<Parts, 'sessions'>,
  screen: Screen,
): Promise<Pairing> {
  const code = newCode(platform);
  const secret = platform.secret(TOKEN_BYTES);
  const nowMs = platform.now();
  const expiresAt = new Date(nowMs + PAIRING_MS);
  await db.transaction((tx) =>
    insertPairing(tx, {
      id: platform.newId(),
      codeMark: codeMark(code),
      secretMark: secretMark(secret),
      ip: screen.ip,
      userAgent: screen.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      nowAt: new Date(nowMs),
      expiresAt,
    }),
  );
  const shown = `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
  return { code: shown, secret, expires_at: expiresAt.toISOString() };
}

/** Makes the wall of the screen that shows the code; answers its id. Throws `invalid` (field `code`) for none. */
export function confirmCode(
  { db, platform }: Omit<Parts, 'sessions'>,
  asked: { code: string; name: string; pairedBy: string },
): Promise<string> {
  const nowAt = new Date(platform.now());
  const wallId = platform.newId();
  return db.transaction(async (tx) => {
    const pairingId = await findWaitingPairing(tx, codeMark(asked.code), nowAt);
    if (pairingId === null) {
      const hint = 'no screen shows this code: look at the screen again, a code is good for ten minutes';
      throw new AppError('invalid', `code: ${hint}`, { field: 'code' });
    }
    await insertWall(tx, { id: wallId, name: asked.name, pairedBy: asked.pairedBy, nowAt });
    await confirmPairing(tx, pairingId, wallId);
    return wallId;
  });
}

/** What became of a screen's pairing; with a token when somebody has confirmed it. */
export function claimPairing(
  { db, platform, sessions }: Parts,
  secret: string,
  screen: Screen,
): Promise<{ state: ClaimState; token: string | null }> {
  return db.transaction(async (tx) => {
    const found = await findPairingOfSecret(tx, secretMark(secret), new Date(platform.now()));
    if (found === null) return { state: 'expired' as const, token: null };
    if (found.wall_id === null) return { state: 'waiting' as const, token: null };
    const token = await sessions.openWall(tx, { identityId: found.wall_id, ...screen });
    return { state: 'paired' as const, token };
  });
}
