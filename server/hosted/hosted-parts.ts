/** The hosted mode as one: sign-in at the provider, organisations, tokens for their backends. */
import type { Database } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { createBackendTokens, type BackendTokens } from './backend-tokens.ts';
import type { HostedSettings } from './hosted-settings.ts';
import { saveConfigured } from './organization-query.ts';
import { createOidcSignIn, type OidcSignIn } from './oidc-sign-in.ts';
import { createOrganizations, type Organizations } from './organizations.ts';

export interface HostedParts {
  signIn: OidcSignIn;
  organizations: Organizations;
  tokens: BackendTokens;
  /** Slug of the organisation that this very server is the backend of. */
  ownOrganization: string | null;
}

/** Puts the parts together, with the organisations that the operator's file names. */
export async function createHostedParts(deps: {
  db: Database;
  platform: Platform;
  dataDir: string;
  settings: HostedSettings;
}): Promise<HostedParts> {
  const { db, platform, dataDir, settings } = deps;
  for (const organization of settings.organizations) await saveConfigured(db, organization);
  const { provider } = settings;
  return {
    signIn: createOidcSignIn({ db, platform, provider }),
    organizations: createOrganizations(db, platform),
    tokens: createBackendTokens({ dataDir, platform, issuer: new URL(provider.publicUrl).origin }),
    ownOrganization: settings.ownOrganization,
  };
}
