/** Who am I (contract §2.1). */
import { z } from 'zod';

/** `GET /auth/whoami` (schema §9.1). */
export const whoamiSchema = z.object({
  message: z.string().optional(),
  payload: z.object({
    user: z.object({
      id: z.string(),
      name: z
        .string()
        .nullish()
        .transform((v) => v ?? ''),
      email: z
        .string()
        .nullish()
        .transform((v) => v ?? null),
      type: z.string().nullish(),
      avatar: z
        .string()
        .nullish()
        .transform((v) => v ?? null),
    }),
    roles: z
      .array(z.string())
      .nullish()
      .transform((v) => v ?? []),
    hostname: z.string().nullish(),
  }),
});

/** `GET /api/demo/mail`, only with --demo: what would have been sent. */
export const demoMailSchema = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  sent_at: z.string(),
});
export type DemoMail = z.output<typeof demoMailSchema>;

/** `GET /api/identity/options`, without sign-in: what the sign-in pages offer. */
export const identityOptionsSchema = z.object({
  mode: z.enum(['basic', 'hosted']),
  registration: z.enum(['open', 'invitation', 'closed']),
  /** `/login?username&password` is submitted by itself. */
  isAuthDemo: z.boolean(),
  isDemo: z.boolean(),
});
export type IdentityOptions = z.output<typeof identityOptionsSchema>;
