/** What scripts of checks and playbooks may sign in with (schema §4.1, §7.4): clouds and clusters by name. */
import { z } from 'zod';

/** `value` is how a secret is written there. */
export function execConnectionsOf<Value extends z.ZodType>(value: Value) {
  const connection = z.string().optional();
  const secret = value.optional();
  const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).optional();
  return z.strictObject({
    aws: z
      .strictObject({
        connection,
        accessKey: secret,
        secretKey: secret,
        sessionToken: secret,
        region: text,
        endpoint: text,
      })
      .optional(),
    azure: z.strictObject({ connection, clientID: secret, clientSecret: secret, tenantID: text }).optional(),
    /** The key of a service account (JSON). */
    gcp: z.strictObject({ connection, credentials: secret }).optional(),
    kubernetes: z.strictObject({ connection, kubeconfig: secret }).optional(),
  });
}
