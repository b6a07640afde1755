/**
 * Sign-in with a hosted OpenID Connect provider: authorization code with PKCE, state and nonce. Invariants: what
 * comes back is used once, in the browser that asked, within ten minutes; the provider's word on who it is counts
 * only after the library has checked signature, issuer, audience, time and nonce.
 */
import * as oidc from 'openid-client';
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import { isSameMark, hashToken } from '../../platform/crypto/secrets.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ProviderSettings } from '../../platform/settings/hosted-settings.ts';
import { removeMemberships, saveMembership } from './organization-query.ts';
import { admitProvidedPerson } from './provided-people.ts';
import { insertPending, takePending } from './sign-in-query.ts';

/** The page to which the provider sends people whom it signed out. */
const AFTER_SIGN_OUT = '/login';
const PENDING_MS = 10 * 60_000;
export const CALLBACK_PATH = '/api/auth/oidc/callback';

const claimsSchema = z.object({
  sub: z.string().min(1),
  name: z.string().nullish(),
  preferred_username: z.string().nullish(),
  email: z.string().nullish(),
  /** Of providers that know organisations: where the person belongs. */
  organizations: z.array(z.object({ slug: z.string(), role: z.string().nullish() })).nullish(),
});

export interface OidcSignIn {
  /** Where to send the browser. */
  begin(request: { deviceHash: string; returnTo: string | null }): Promise<string>;
  /** Who came back; throws `unauthorized` when it isn't whom we sent. */
  finish(request: { deviceHash: string; url: URL }): Promise<{ personId: string; returnTo: string | null }>;
  /** Where to send the browser to end the provider's own session; null when the provider has no such page. */
  signOutUrl(): Promise<string | null>;
}

/** `admin` and `org:admin` are what providers call it. */
export function memberRole(role: string | null | undefined): 'admin' | 'member' {
  return role === 'admin' || role === 'org:admin' ? 'admin' : 'member';
}

interface OidcDeps {
  db: Database;
  platform: Platform;
  provider: ProviderSettings;
}

/** The provider's own description, asked for when it is first needed and again after a failure. */
function createDiscovery(provider: ProviderSettings): () => Promise<oidc.Configuration> {
  let found: Promise<oidc.Configuration> | null = null;
  return async () => {
    const issuer = new URL(provider.issuer);
    found ??= oidc.discovery(issuer, provider.clientId, provider.clientSecret, undefined, {
      // Settings allow http for loopback addresses only.
      execute: issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    });
    try {
      return await found;
    } catch (error) {
      found = null;
      throw new AppError('network', 'The sign-in provider does not answer', {
        cause: error,
        retryable: true,
      });
    }
  };
}

/** What the provider says now, as one: also that somebody belongs nowhere, which many say by leaving the claim out. */
function takeMemberships(
  db: Database,
  personId: string,
  claimed: readonly { slug: string; role?: string | null | undefined }[],
): Promise<void> {
  return db.transaction(async (tx) => {
    await removeMemberships(tx, { personId, named: claimed.map(({ slug }) => slug) });
    for (const { slug, role } of claimed) {
      await saveMembership(tx, { slug, personId, role: memberRole(role) });
    }
  });
}

/**
 * The two halves of a sign-in: `begin` answers where to send the browser, the second half takes what it comes back
 * with.
 */
export function createOidcSignIn({ db, platform, provider }: OidcDeps): OidcSignIn {
  const discover = createDiscovery(provider);
  const redirectUri = new URL(CALLBACK_PATH, provider.publicUrl).href;

  return {
    async begin({ deviceHash, returnTo }) {
      const config = await discover();
      const codeVerifier = oidc.randomPKCECodeVerifier();
      const state = oidc.randomState();
      const nonce = oidc.randomNonce();
      const nowMs = platform.now();
      await insertPending(db, {
        state_mark: hashToken('state', state),
        browser_mark: deviceHash,
        nonce,
        code_verifier: codeVerifier,
        return_to: returnTo,
        nowAt: new Date(nowMs),
        expiresAt: new Date(nowMs + PENDING_MS),
      });
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      }).href;
    },

    async finish({ deviceHash, url }) {
      const state = url.searchParams.get('state') ?? '';
      const pending = await takePending(db, hashToken('state', state), new Date(platform.now()));
      if (pending === null || !isSameMark(pending.browser_mark, deviceHash)) {
        throw new AppError('unauthorized', 'This sign-in was not begun here, or is over');
      }
      const config = await discover();
      const claims = claimsSchema.parse(await exchange(config, { pending, state, url, redirectUri }));
      const personId = await admitProvidedPerson(db, config.serverMetadata().issuer, {
        externalId: claims.sub,
        name: claims.name ?? claims.preferred_username ?? claims.email ?? claims.sub,
        email: claims.email ?? null,
      });
      await takeMemberships(db, personId, claims.organizations ?? []);
      return { personId, returnTo: pending.return_to };
    },

    async signOutUrl() {
      const config = await discover();
      if (config.serverMetadata().end_session_endpoint === undefined) return null;
      // The provider must know this address as one that it may send people back to.
      const back = new URL(AFTER_SIGN_OUT, provider.publicUrl).href;
      return oidc.buildEndSessionUrl(config, { post_logout_redirect_uri: back }).href;
    },
  };
}

/** What the provider says of who came back: the claims of the ID token with those of the user's own page. */
async function exchange(
  config: oidc.Configuration,
  asked: {
    pending: { code_verifier: string; nonce: string };
    state: string;
    url: URL;
    redirectUri: string;
  },
): Promise<Record<string, unknown>> {
  const { pending, state, url, redirectUri } = asked;
  // The address as the provider was told it, whatever proxies made of it on the way.
  const callback = new URL(redirectUri);
  callback.search = url.search;
  try {
    const tokens = await oidc.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: pending.code_verifier,
      expectedState: state,
      expectedNonce: pending.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('no ID token');
    const more =
      config.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
    return { ...claims, ...more };
  } catch (error) {
    throw new AppError('unauthorized', 'The sign-in provider refused', { cause: error });
  }
}
