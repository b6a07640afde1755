/** What the operator sets for the hosted mode (contract §2.3). Organisations come from a file that only he writes. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parse as parseYaml } from 'yaml';

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

export interface HostedSettings {
  provider: ProviderSettings;
  organizations: OrganizationSetting[];
  /** Slug of the organisation whose backend this server is itself; null for a mere front. */
  ownOrganization: string | null;
}

const httpUrl = z.string().refine((text) => URL.canParse(text) && /^https?:/.test(text), {
  error: 'allowed are http:// and https:// URLs',
});

const fileSchema = z.array(
  z.strictObject({
    slug: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'allowed are a-z, 0-9 and -'),
    name: z.string().min(1),
    backend_url: httpUrl.nullish(),
    direct: z.boolean().default(false),
  }),
);

/** The organisations of a YAML or JSON text; throws with the place and what is allowed there. */
export function parseOrganizations(text: string): OrganizationSetting[] {
  const parsed = fileSchema.safeParse(parseYaml(text) ?? []);
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

export function readOrganizations(path: string | null): OrganizationSetting[] {
  return path === null ? [] : parseOrganizations(readFileSync(path, 'utf8'));
}

/** The origins that a page may talk to directly, for its content policy. */
export function directOrigins(organizations: readonly OrganizationSetting[]): string[] {
  const direct = organizations.flatMap((one) =>
    one.isDirect && one.backendUrl !== null ? [new URL(one.backendUrl).origin] : [],
  );
  return [...new Set(direct)];
}
