/** What scripts sign in to clouds and clusters with: as variables and files that the clouds' own programs look for. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../src/contract/errors.ts';
import type { OpenConnection } from './secret-scope.ts';

interface Named {
  connection?: string | undefined;
}

/** As specifications write them (src/contract/specs/exec-connections.ts). */
export interface ExecConnections<Value> {
  aws?:
    | (Named & {
        accessKey?: Value | undefined;
        secretKey?: Value | undefined;
        sessionToken?: Value | undefined;
        region?: string | undefined;
        endpoint?: string | undefined;
      })
    | undefined;
  azure?:
    | (Named & {
        clientID?: Value | undefined;
        clientSecret?: Value | undefined;
        tenantID?: string | undefined;
      })
    | undefined;
  gcp?: (Named & { credentials?: Value | undefined }) | undefined;
  kubernetes?: (Named & { kubeconfig?: Value | undefined }) | undefined;
}

/** How values and connections are read. */
export interface ConnectionReader<Value> {
  value: (given: Value) => Promise<string>;
  connection: (reference: string) => Promise<OpenConnection | null>;
}

interface Given {
  env: Record<string, string>;
  /** Content of a file, by the variables that name it. */
  files: { name: string; content: string; variables: string[] }[];
}

async function read<Value>(
  { aws, azure, gcp, kubernetes }: ExecConnections<Value>,
  reader: ConnectionReader<Value>,
): Promise<Given> {
  const given: Given = { env: {}, files: [] };
  const valueOf = async (own: Value | undefined, otherwise = '') =>
    own === undefined ? otherwise : reader.value(own);
  const connectionOf = async ({ connection = '' }: Named) => {
    if (connection === '') return null;
    const found = await reader.connection(connection);
    if (found === null) throw new AppError('invalid', `connection ${connection} was not found`);
    return found;
  };
  if (aws !== undefined) {
    const found = await connectionOf(aws);
    given.env['AWS_ACCESS_KEY_ID'] = await valueOf(aws.accessKey, found?.username);
    given.env['AWS_SECRET_ACCESS_KEY'] = await valueOf(aws.secretKey, found?.password);
    given.env['AWS_SESSION_TOKEN'] = await valueOf(aws.sessionToken);
    given.env['AWS_DEFAULT_REGION'] = aws.region ?? found?.properties['region'] ?? '';
    given.env['AWS_ENDPOINT_URL'] = aws.endpoint ?? '';
  }
  if (azure !== undefined) {
    const found = await connectionOf(azure);
    given.env['AZURE_CLIENT_ID'] = await valueOf(azure.clientID, found?.username);
    given.env['AZURE_CLIENT_SECRET'] = await valueOf(azure.clientSecret, found?.password);
    given.env['AZURE_TENANT_ID'] = azure.tenantID ?? found?.properties['tenant'] ?? '';
  }
  if (gcp !== undefined) {
    const content = await valueOf(gcp.credentials, (await connectionOf(gcp))?.certificate);
    const variables = ['GOOGLE_APPLICATION_CREDENTIALS', 'CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE'];
    given.files.push({ name: '.gcp.json', content, variables });
  }
  if (kubernetes !== undefined) {
    const content = await valueOf(kubernetes.kubeconfig, (await connectionOf(kubernetes))?.certificate);
    given.files.push({ name: '.kubeconfig', content, variables: ['KUBECONFIG'] });
  }
  return given;
}

/** Reads everything now; answers what puts it into the script's folder and says its variables. */
export async function givenByConnections<Value>(
  connections: ExecConnections<Value>,
  reader: ConnectionReader<Value>,
): Promise<(folder: string) => Promise<Record<string, string>>> {
  const given = await read(connections, reader);
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
