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
