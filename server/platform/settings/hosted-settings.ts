/** What the operator sets for the hosted mode (contract §2.3). Organisations come from a file that only he writes. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { readYaml } from '../../../src/lib/read-yaml.ts';

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Where browsers find this server. */
  publicUrl: string;
}

export interface OrganizationSetting {
  slug: string;
  name: string;
  backendUrl: string | null;
  isDirect: boolean;
}

/** Whose tokens count at an organisation's backend (schema §3.4). */
export interface TokenIssuer {
  issuer: string;
  jwksUrl: string;
}

export interface HostedSettings {
  /** null where people don't sign in here: a backend that only takes tokens. */
  provider: ProviderSettings | null;
  organizations: OrganizationSetting[];
  /** Slug (or the issuer's id) of the organisation whose backend this server is; null for a mere front. */
  ownOrganization: string | null;
  tokens: TokenIssuer | null;
}

/** Variables of the hosted mode; none counts in the other. */
export const HOSTED_VARIABLES = {
  OIDC_ISSUER: secureUrl().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  ORGANIZATIONS_FILE: z
    .string()
    .refine((path) => existsSync(path), 'allowed is the path of a file that is there')
    .optional(),
  OWN_ORGANIZATION: z.string().optional(),
  TOKEN_ISSUER: httpUrl().optional(),
  TOKEN_JWKS_URL: secureUrl().optional(),
};
type HostedVariables = z.output<z.ZodObject<typeof HOSTED_VARIABLES>> & { PUBLIC_URL?: string | undefined };

/** A combination that can't work: which variable, and what is allowed. */
export class HostedSettingsError extends Error {
  readonly variable: string;

  constructor(variable: string, allowed: string) {
    super(allowed);
    this.name = 'HostedSettingsError';
    this.variable = variable;
  }
}

function providerOf(known: HostedVariables): ProviderSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = known;
  if (issuer === undefined) return null;
  if (clientId === undefined) throw new HostedSettingsError('OIDC_CLIENT_ID', 'needed with OIDC_ISSUER');
  if (clientSecret === undefined)
    throw new HostedSettingsError('OIDC_CLIENT_SECRET', 'needed with OIDC_ISSUER');
  if (known.PUBLIC_URL === undefined)
    throw new HostedSettingsError('PUBLIC_URL', 'needed with OIDC_ISSUER: the address that browsers use');
  return { issuer, clientId, clientSecret, publicUrl: known.PUBLIC_URL };
}

/** What AUTH_MODE=hosted makes of its variables; throws HostedSettingsError for what is missing. */
export function hostedSettings(known: HostedVariables): HostedSettings {
  const provider = providerOf(known);
  const { TOKEN_ISSUER: issuer, TOKEN_JWKS_URL: jwksUrl, OWN_ORGANIZATION: own } = known;
  if (provider === null && issuer === undefined)
    throw new HostedSettingsError('AUTH_MODE', 'hosted needs OIDC_ISSUER (people sign in) or TOKEN_ISSUER');
  if (issuer !== undefined && own === undefined)
    throw new HostedSettingsError('OWN_ORGANIZATION', 'needed with TOKEN_ISSUER');
  if (issuer !== undefined && jwksUrl === undefined)
    throw new HostedSettingsError('TOKEN_JWKS_URL', 'needed with TOKEN_ISSUER');
  return {
    provider,
    organizations: readOrganizations(known.ORGANIZATIONS_FILE ?? null),
    ownOrganization: own ?? null,
    tokens: issuer === undefined || jwksUrl === undefined ? null : { issuer, jwksUrl },
  };
}

function httpUrl() {
  return z.string().refine((text) => URL.canParse(text) && /^https?:/.test(text), {
    error: 'allowed are http:// and https:// URLs',
  });
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Keys and secrets go there: https, or this very machine. */
function secureUrl() {
  return httpUrl().refine(
    (text) => URL.canParse(text) && (text.startsWith('https:') || LOOPBACK.has(new URL(text).hostname)),
    { error: 'allowed are https:// URLs, and http:// ones of this machine' },
  );
}

const fileSchema = z.array(
  z.strictObject({
    slug: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'allowed are a-z, 0-9 and -'),
    name: z.string().min(1),
    backend_url: httpUrl().nullish(),
    direct: z.boolean().default(false),
  }),
);

/** The organisations of a YAML or JSON text; throws with the place and what is allowed there. */
export function parseOrganizations(text: string): OrganizationSetting[] {
  const parsed = fileSchema.safeParse(readYaml(text) ?? []);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
  }
  return parsed.data.map((one) => ({
    slug: one.slug,
    name: one.name,
    backendUrl: one.backend_url ?? null,
    isDirect: one.direct,
  }));
}

function readOrganizations(path: string | null): OrganizationSetting[] {
  if (path === null) return [];
  try {
    return parseOrganizations(readFileSync(path, 'utf8'));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new HostedSettingsError('ORGANIZATIONS_FILE', said);
  }
}

/** The origins that a page may talk to directly, for its content policy. */
export function directOrigins(organizations: readonly OrganizationSetting[]): string[] {
  const direct = organizations.flatMap((one) =>
    one.isDirect && one.backendUrl !== null ? [new URL(one.backendUrl).origin] : [],
  );
  return [...new Set(direct)];
}
