/**
 * Bearer tokens at an organisation's backend (schema §3.4): signed by the issuer that the operator named, for this
 * very organisation. The person is made on first sight; the organisation's admins are admins here.
 */
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import { findActivePerson } from '../identity/queries/identity-query.ts';
import type { Principal } from '../identity/sessions/principal.ts';
import { principalOf } from '../identity/sessions/sessions.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TokenIssuer } from '../../platform/settings/hosted-settings.ts';
import { memberRole } from './oidc-sign-in.ts';
import { admitProvidedPerson } from './provided-people.ts';

interface BearerSettings extends TokenIssuer {
  /** Slug or id, as the issuer writes it into `org_id`. */
  organization: string;
}

export interface BearerSignIn {
  /** Who asks; null when the token isn't good here. */
  check(token: string): Promise<Principal | null>;
}

const CLOCK_TOLERANCE_SECONDS = 5;
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

const claimsSchema = z.object({
  sub: z.string().min(1),
  exp: z.number(),
  org_id: z.string(),
  org_slug: z.string().nullish(),
  org_role: z.string().nullish(),
  name: z.string().nullish(),
  email: z.string().nullish(),
});

/** The token of an Authorization header; null when it isn't a bearer's. */
export function parseBearer(header: string): string | null {
  return /^bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header.trim())?.[1] ?? null;
}

/**
 * Checks bearer tokens against the issuer's published keys; null for a token that isn't valid for this organisation.
 */
export function createBearerSignIn(deps: {
  db: Database;
  platform: Platform;
  settings: BearerSettings;
}): BearerSignIn {
  const { db, platform, settings } = deps;
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl));
  return {
    async check(token) {
      const claims = await verified(token);
      if (claims === null) return null;
      const personId = await admitProvidedPerson(db, settings.issuer, {
        externalId: claims.sub,
        name: claims.name ?? claims.email ?? claims.sub,
        email: claims.email ?? null,
      });
      const person = await findActivePerson(db, personId);
      if (person === null) return null;
      const principal: Principal = { ...principalOf(person), tokenEndsMs: claims.exp * 1000 };
      return memberRole(claims.org_role) === 'admin' ? { ...principal, roles: ['admin'] } : principal;
    },
  };

  async function verified(token: string): Promise<z.output<typeof claimsSchema> | null> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: settings.issuer,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(platform.now()),
        requiredClaims: ['exp'],
      });
      const parsed = claimsSchema.safeParse(payload);
      if (!parsed.success) return null;
      const isOurs = [parsed.data.org_id, parsed.data.org_slug].includes(settings.organization);
      return isOurs ? parsed.data : null;
    } catch (error) {
      // A key server that doesn't answer isn't the bearer's fault.
      if (isRefusal(error)) return null;
      throw new AppError('network', 'The keys of the sign-in provider can not be read', {
        cause: error,
        retryable: true,
        status: 503,
      });
    }
  }
}

/** What the library says of a token, as against what befell it while fetching keys. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return (
    /^ERR_(?:JWT|JWS|JOSE|JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE)/.test(error.code) &&
    error.code !== 'ERR_JOSE_GENERIC'
  );
}
