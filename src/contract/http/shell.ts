/** What the shell asks the server besides who is signed in: properties (contract §3), flow errors (contract §2.2). */
import { z } from 'zod';

/** `GET /properties`: the name of the flag property and its value; where it comes from matters to settings only. */
export const propertiesSchema = z.array(z.object({ name: z.string(), value: z.string().catch('') }));

/** What a page knows of the deployment: kept with the session, so that it starts offline as it was last. */
export interface ShellFacts {
  /** Whose they are. */
  storeName: string;
  properties: z.output<typeof propertiesSchema>;
  isChecksOnly: boolean;
  /** The server passes calls on to clusters, so it has a kubeconfig to offer. */
  hasClusterProxy?: boolean;
}

const maybeText = z.string().nullish();

/** `GET /.ory/self-service/errors?id=`: why an identity flow ended without a page of its own. */
export const flowErrorSchema = z.object({
  id: z.string(),
  error: z
    .object({
      code: z.number().nullish(),
      status: maybeText,
      reason: maybeText,
      message: maybeText,
    })
    .nullish(),
});
export type FlowError = z.output<typeof flowErrorSchema>;
