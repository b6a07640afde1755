/** Sign-in in the contract's browser-flow shape (contract §2) and who am I. */
import { z } from 'zod';

export const flowNodeSchema = z.object({
  group: z.string(),
  type: z.string().default('input'),
  attributes: z.object({
    name: z.string(),
    type: z.string(),
    value: z.unknown().optional(),
    required: z.boolean().optional(),
    disabled: z.boolean().optional(),
    node_type: z.string().optional(),
  }),
  messages: z.array(z.object({ id: z.number(), text: z.string(), type: z.string() })).default([]),
  meta: z
    .object({ label: z.object({ id: z.number(), text: z.string(), type: z.string() }).optional() })
    .default({}),
});

export const flowSchema = z.object({
  id: z.string(),
  type: z.string().optional(),
  expires_at: z.string().optional(),
  issued_at: z.string().optional(),
  return_to: z.string().nullish(),
  refresh: z.boolean().optional(),
  requested_aal: z.string().optional(),
  state: z.string().optional(),
  ui: z.object({
    action: z.string(),
    method: z.string(),
    nodes: z.array(flowNodeSchema),
    messages: z.array(z.object({ id: z.number(), text: z.string(), type: z.string() })).default([]),
  }),
});
export type Flow = z.output<typeof flowSchema>;

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

/** What the user types to sign in. */
export const credentialsSchema = z.object({
  identifier: z.string().trim().min(1, 'This field is required'),
  password: z.string().min(1, 'This field is required'),
});
export type Credentials = z.output<typeof credentialsSchema>;

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
