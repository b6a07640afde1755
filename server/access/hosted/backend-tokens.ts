/**
 * Tokens with which a front speaks to an organisation's backend, and browsers in direct mode: short-lived, signed
 * with a key that never leaves DATA_DIR. Backends check them with the public half (contract §2.3).
 */
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import type { Platform } from '../../platform/platform.ts';
import type { OrganizationRow } from './organization-query.ts';

const ALGORITHM = 'ES256';
const KEY_FILE = 'hosted-signing-key.json';
const LIFETIME_MS = 60_000;
/** A stream ends with its token; in between the front ends it with the session. */
const STREAM_LIFETIME_MS = 30 * 60_000;

export interface BackendToken {
  token: string;
  expiresAt: string;
}

export interface TokenBearer {
  personId: string;
  name: string;
  email: string | null;
  /** For an event stream, which the front itself keeps an eye on. */
  isForStream?: boolean;
}

export interface BackendTokens {
  sign(bearer: TokenBearer, organization: OrganizationRow): Promise<BackendToken>;
  /** What backends check tokens with. */
  publicKeys(): Promise<{ keys: JWK[] }>;
}

async function makeKey(path: string, kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(privateKey)), kid, alg: ALGORITHM, use: 'sig' };
  // Fails when another process was first; its key is read then.
  const file = await open(path, 'wx', 0o600);
  await file.writeFile(JSON.stringify(jwk));
  await file.sync();
  await file.close();
  return jwk;
}

async function readKey(path: string): Promise<JWK | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as JWK;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function loadKey(dataDir: string, platform: Platform): Promise<JWK> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, KEY_FILE);
  const kept = await readKey(path);
  if (kept !== null) return kept;
  try {
    return await makeKey(path, platform.secret(8));
  } catch (error) {
    const other = await readKey(path);
    if (other === null) throw error;
    return other;
  }
}

/** Signs for the organisations of this front; the key is made in `dataDir` at the first use. */
export function createBackendTokens(deps: {
  dataDir: string;
  issuer: string;
  platform: Platform;
}): BackendTokens {
  const { dataDir, issuer, platform } = deps;
  let loading: Promise<JWK> | null = null;
  const key = () => (loading ??= loadKey(dataDir, platform));
  return {
    async sign({ personId, name, email, isForStream = false }, organization) {
      const jwk = await key();
      const nowMs = platform.now();
      const expiresMs = nowMs + (isForStream ? STREAM_LIFETIME_MS : LIFETIME_MS);
      const claims = { name, email, org_id: organization.slug, org_role: organization.role };
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, ...(jwk.kid === undefined ? {} : { kid: jwk.kid }) })
        .setIssuer(issuer)
        .setSubject(personId)
        .setIssuedAt(Math.floor(nowMs / 1000))
        .setExpirationTime(Math.floor(expiresMs / 1000))
        .sign(await importJWK(jwk, ALGORITHM));
      return { token, expiresAt: new Date(expiresMs).toISOString() };
    },
    async publicKeys() {
      const { d: _secret, ...publicHalf } = await key();
      return { keys: [publicHalf] };
    },
  };
}
