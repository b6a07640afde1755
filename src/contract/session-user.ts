/** Who is signed in here, as the app may know it without asking: names and roles, never a token. */
import { z } from 'zod';

/** Where a user works in hosted mode. */
const sessionOrganizationSchema = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  /** Where its calls go in direct mode; null when they go through the server that the app came from. */
  directUrl: z.string().nullable(),
});
export type SessionOrganization = z.output<typeof sessionOrganizationSchema>;

export const sessionUserSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  avatar: z.string().nullable(),
  /** `wall` of a paired screen; a person has none. */
  type: z.string().nullish(),
  roles: z.array(z.string()),
  /** Names the local store: one per server, organisation and user (design §4 law 13). */
  storeName: z.string(),
  /** Only in hosted mode. */
  organization: sessionOrganizationSchema.optional(),
});
export type SessionUser = z.output<typeof sessionUserSchema>;
