/** The hosted mode as one: sign-in at the provider, organisations, tokens for their backends. */
import type { Database } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { createBackendTokens, type BackendTokens } from './backend-tokens.ts';
import { createBearerSignIn, type BearerSignIn } from './bearer-sign-in.ts';
import type { HostedSettings, ProviderSettings } from '../../platform/settings/hosted-settings.ts';
import { saveConfigured } from './organization-query.ts';
import { createOidcSignIn, type OidcSignIn } from './oidc-sign-in.ts';
import { createOrganizations, type Organizations } from './organizations.ts';

/** Where people sign in and choose an organisation. */
export interface HostedFront {
  signIn: OidcSignIn;
  organizations: Organizations;
  tokens: BackendTokens;
  /** Slug of the organisation that this very server is the backend of. */
  ownOrganization: string | null;
}

export interface HostedParts {
  front: HostedFront | null;
  /** At an organisation's backend: who a token speaks for. */
  bearer: BearerSignIn | null;
}

interface HostedDeps {
  db: Database;
  platform: Platform;
  dataDir: string;
  settings: HostedSettings;
}

function createFront(deps: HostedDeps, provider: ProviderSettings): HostedFront {
  const { db, platform, dataDir, settings } = deps;
  return {
    signIn: createOidcSignIn({ db, platform, provider }),
    organizations: createOrganizations(db, platform),
    tokens: createBackendTokens({ dataDir, platform, issuer: new URL(provider.publicUrl).origin }),
    ownOrganization: settings.ownOrganization,
  };
}

/** Puts the parts together, with the organisations that the operator's file names. */
export async function createHostedParts(deps: HostedDeps): Promise<HostedParts> {
  const { db, platform, settings } = deps;
  for (const organization of settings.organizations) await saveConfigured(db, organization);
  const { provider, tokens, ownOrganization: organization } = settings;
  return {
    front: provider === null ? null : createFront(deps, provider),
    bearer:
      tokens === null || organization === null
        ? null
        : createBearerSignIn({ db, platform, settings: { ...tokens, organization } }),
  };
}
