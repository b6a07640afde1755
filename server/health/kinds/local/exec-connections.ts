/** What scripts sign in to clouds and clusters with: as variables and files that the clouds' own programs look for. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { KindContext } from '../../kind/check-kind.ts';
import { readValue } from '../../kind/secret-values.ts';
import { connectionOf } from '../../kind/service-place.ts';
import { text, valueSchema } from '../../kind/spec-fields.ts';
import type { SecretValue } from '../../kind/spec-fields.ts';

const connection = z.string().optional();
const value = valueSchema.optional();
export const execConnections = z.strictObject({
  aws: z
    .strictObject({
      connection,
      accessKey: value,
      secretKey: value,
      sessionToken: value,
      region: text.optional(),
      endpoint: text.optional(),
    })
    .optional(),
  azure: z
    .strictObject({ connection, clientID: value, clientSecret: value, tenantID: text.optional() })
    .optional(),
  /** The key of a service account (JSON). */
  gcp: z.strictObject({ connection, credentials: value }).optional(),
  kubernetes: z.strictObject({ connection, kubeconfig: value }).optional(),
});
type ExecConnections = z.output<typeof execConnections>;

interface Given {
  env: Record<string, string>;
  /** Content of a file, by the variables that name it. */
  files: { name: string; content: string; variables: string[] }[];
}

/** Reads everything now; answers what puts it into the script's folder and says its variables. */
export async function givenByConnections(
  { aws, azure, gcp, kubernetes }: ExecConnections,
  context: KindContext,
): Promise<(folder: string) => Promise<Record<string, string>>> {
  const given: Given = { env: {}, files: [] };
  const read = async (own: SecretValue | undefined, otherwise = '') =>
    own === undefined ? otherwise : readValue(own, context);
  if (aws !== undefined) {
    const found = await connectionOf(aws, context);
    given.env['AWS_ACCESS_KEY_ID'] = await read(aws.accessKey, found?.username);
    given.env['AWS_SECRET_ACCESS_KEY'] = await read(aws.secretKey, found?.password);
    given.env['AWS_SESSION_TOKEN'] = await read(aws.sessionToken);
    given.env['AWS_DEFAULT_REGION'] = aws.region ?? found?.properties['region'] ?? '';
    given.env['AWS_ENDPOINT_URL'] = aws.endpoint ?? '';
  }
  if (azure !== undefined) {
    const found = await connectionOf(azure, context);
    given.env['AZURE_CLIENT_ID'] = await read(azure.clientID, found?.username);
    given.env['AZURE_CLIENT_SECRET'] = await read(azure.clientSecret, found?.password);
    given.env['AZURE_TENANT_ID'] = azure.tenantID ?? found?.properties['tenant'] ?? '';
  }
  if (gcp !== undefined) {
    const content = await read(gcp.credentials, (await connectionOf(gcp, context))?.certificate);
    const variables = ['GOOGLE_APPLICATION_CREDENTIALS', 'CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE'];
    given.files.push({ name: '.gcp.json', content, variables });
  }
  if (kubernetes !== undefined) {
    const content = await read(kubernetes.kubeconfig, (await connectionOf(kubernetes, context))?.certificate);
    given.files.push({ name: '.kubeconfig', content, variables: ['KUBECONFIG'] });
  }
  return async (folder) => {
    const env = Object.fromEntries(Object.entries(given.env).filter(([, text]) => text !== ''));
    for (const { name, content, variables } of given.files) {
      const path = join(folder, name);
      await writeFile(path, content, { mode: 0o600 });
      for (const variable of variables) env[variable] = path;
    }
    return env;
  };
}
