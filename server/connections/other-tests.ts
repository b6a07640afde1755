/** Tests of what isn't asked by plain HTTP: mail, clusters, folders. */
import { opendir } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import { readYaml } from '../../src/lib/read-yaml.ts';
import { TEST_TIMEOUT_MS, TRUST } from './connection-test.ts';
import type { ConnectionTest } from './connection-test.ts';
import { need, urlOf } from './connection-values.ts';
import { askService } from './http-tests.ts';
import { trimEnd } from '../../src/lib/trim-end.ts';
import { lookupTable } from '../../src/lib/lookup-table.ts';

const SMTP_PORT = 587;
const SMTPS_PORT = 465;

const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

const email: ConnectionTest = async (values, { guard }) => {
  const url = urlOf(values);
  const encryption = url.searchParams.get('Encryption') ?? 'Auto';
  const port = Number(url.port || (encryption === 'ImplicitTLS' ? SMTPS_PORT : SMTP_PORT));
  const { host, addresses } = await guard.check(bare(url.hostname), port, TRUST);
  const user = values.username || decodeURIComponent(url.username);
  const transport = createTransport({
    host: addresses[0].address,
    port,
    secure: encryption === 'ImplicitTLS' || port === SMTPS_PORT,
    requireTLS: encryption === 'ExplicitTLS',
    ignoreTLS: encryption === 'None',
    tls: { servername: host, rejectUnauthorized: !values.isInsecureTls },
    ...(user === '' ? {} : { auth: { user, pass: values.password || decodeURIComponent(url.password) } }),
    connectionTimeout: TEST_TIMEOUT_MS,
    greetingTimeout: TEST_TIMEOUT_MS,
    socketTimeout: TEST_TIMEOUT_MS,
  });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
};

/** The parts of a kubeconfig that one request needs. */
const kubeconfigSchema = z.object({
  'current-context': z.string().optional(),
  contexts: z.array(
    z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string() }) }),
  ),
  clusters: z.array(
    z.object({
      name: z.string(),
      cluster: z.object({
        server: z.url(),
        'certificate-authority-data': z.string().optional(),
        'insecure-skip-tls-verify': z.boolean().optional(),
      }),
    }),
  ),
  users: z.array(
    z.object({
      name: z.string(),
      user: z.object({
        token: z.string().optional(),
        username: z.string().optional(),
        password: z.string().optional(),
        'client-certificate-data': z.string().optional(),
        'client-key-data': z.string().optional(),
      }),
    }),
  ),
});

const decoded = (text: string | undefined) =>
  text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
const defined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };

function readKubeconfig(text: string) {
  const parsed = kubeconfigSchema.safeParse(readYaml(text));
  if (!parsed.success)
    throw new AppError('invalid', 'certificate: must be a kubeconfig with cluster, user and context');
  const { contexts, clusters, users, 'current-context': current } = parsed.data;
  const context = (contexts.find(({ name }) => name === current) ?? contexts[0])?.context;
  const cluster = clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const user = users.find(({ name }) => name === context?.user)?.user;
  if (cluster === undefined || user === undefined)
    throw new AppError('invalid', 'certificate: the kubeconfig has no context with cluster and user');
  return { cluster, user };
}

const kubernetes: ConnectionTest = async (values, context) => {
  const { cluster, user } = readKubeconfig(need({ certificate: values.certificate }, 'certificate'));
  const url = new URL('api/v1/pods?limit=1', `${trimEnd(cluster.server, '/')}/`);
  const plain = `${user.username ?? ''}:${user.password ?? ''}`;
  const signIn =
    user.token === undefined ? `Basic ${Buffer.from(plain).toString('base64')}` : `Bearer ${user.token}`;
  const isCertified = user['client-certificate-data'] !== undefined;
  const tls = {
    isInsecure: cluster['insecure-skip-tls-verify'] === true,
    ca: decoded(cluster['certificate-authority-data']),
    cert: decoded(user['client-certificate-data']),
    key: decoded(user['client-key-data']),
  };
  await askService(
    { url, headers: isCertified ? {} : { authorization: signIn }, tls: defined(tls) },
    context,
  );
};

const folder: ConnectionTest = async (values) => {
  const path = need({ path: values.properties['path'] ?? '' }, 'path');
  const opened = await opendir(path);
  await opened.close();
};

/** The types that need a client of their own. */
export const OTHER_TESTS = lookupTable<ConnectionTest>({ email, kubernetes, folder });
