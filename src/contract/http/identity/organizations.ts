/** Organisations of the hosted mode (contract §2.3): whose they are, which one a session works in, direct mode. */
import { z } from 'zod';

/** The same as the header (organization-header.ts) for the event stream, which can't carry one. */
export const ORGANIZATION_QUERY = 'organization';

/** Why a front refuses a call of a session (403). */
export const NO_ORGANIZATION = 'no_organization';
export const OTHER_ORGANIZATION = 'other_organization';

export const organizationSchema = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  role: z.string(),
  public_metadata: z
    .object({
      backend_url: z
        .string()
        .nullish()
        .transform((url) => url ?? null),
      /** The provider's own records may hold it as text (contract §2.3). */
      direct: z
        .union([z.boolean(), z.string()])
        .nullish()
        .transform((value) => value === true || value === 'true'),
    })
    .prefault({}),
});
export type Organization = z.output<typeof organizationSchema>;

/** `GET /api/auth/organizations`. */
export const organizationsSchema = z.object({
  organizations: z.array(organizationSchema),
  active: z.string().nullable(),
});

/** `GET /api/auth/backend-token`: for the active organisation, in direct mode. */
export const backendTokenSchema = z.object({
  token: z.string(),
  expires_at: z.string(),
  backend_url: z.string(),
});
