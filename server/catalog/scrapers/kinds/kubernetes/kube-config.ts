/**
 * Where a cluster is and how to sign in there, read by the real client's KubeConfig. Invariants: nothing that a
 * kubeconfig names is run or read from this machine's disk (exec plugins, token files, certificate files), as a
 * kubeconfig may come from anybody who can write a scraper; the server's own account is for operators' files. The
 * operator's own KUBECONFIG alone is used as kubectl uses it (`openClusterOfFile`).
 */
import type { KubeConfig } from '@kubernetes/client-node';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { EgressTls } from '../../../../platform/egress/egress-http.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import { callService, jsonOf } from '../services/service-call.ts';
import { trimEnd } from '../../../../../src/lib/trim-end.ts';

export interface Cluster {
  config: KubeConfig;
  server: string;
  headers: Record<string, string>;
  tls: EgressTls;
  /** A GET of a path with its query; the parsed answer. */
  get: (path: string, query?: Record<string, string>) => Promise<unknown>;
}

/** The parts of a context that a cluster needs. */
export interface ClusterContext extends Pick<ScrapeContext, 'guard' | 'trust' | 'signal' | 'secret'> {
  /** What stands before the paths of a pod's own account; nothing unless given. */
  accountRoot?: string | undefined;
}

const invalid = (text: string, cause?: unknown): AppError => new AppError('invalid', text, { cause });
const FLATTEN = 'embed it: kubectl config view --raw --flatten --minify';

/** Calls go straight to the server, through the guard. */
function refuseWhatGoesElsewhere(
  config: KubeConfig,
): NonNullable<ReturnType<KubeConfig['getCurrentCluster']>> {
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw invalid('kubeconfig: its current-context names no cluster');
  if (cluster.proxyUrl !== undefined)
    throw invalid('kubeconfig: proxy-url is not supported; calls go straight to the server');
  if (cluster.tlsServerName !== undefined)
    throw invalid(
      'kubeconfig: tls-server-name is not supported; use a server whose name is in its certificate',
    );
  return cluster;
}

function refuseWhatWouldReach(config: KubeConfig): void {
  const user = config.getCurrentUser();
  const cluster = refuseWhatGoesElsewhere(config);
  if (user?.exec !== undefined && user.exec !== null)
    throw invalid('kubeconfig: exec plugins would run a command here; use a token of a service account');
  if (user?.authProvider !== undefined && user.authProvider !== null)
    throw invalid('kubeconfig: auth-provider is not supported; use a token of a service account');
  if (cluster.caFile !== undefined)
    throw invalid(`kubeconfig: certificate-authority names a file; ${FLATTEN}`);
  if (user?.certFile !== undefined || user?.keyFile !== undefined)
    throw invalid(`kubeconfig: client-certificate or client-key names a file; ${FLATTEN}`);
}

async function loadConfig(kubeconfig: unknown, context: ClusterContext): Promise<KubeConfig> {
  const { KubeConfig: Config } = await import('@kubernetes/client-node');
  const config = new Config();
  if (kubeconfig === undefined) {
    if (context.trust !== 'operator')
      throw invalid(
        "kubeconfig is missing: the server's own account in a cluster is for operators' files only",
      );
    config.loadFromCluster(context.accountRoot);
    // Outside of a cluster the client makes a URL of nothing.
    if (!URL.canParse(config.getCurrentCluster()?.server ?? ''))
      throw invalid('kubeconfig is missing, and this server does not run in a cluster; give a kubeconfig');
    return config;
  }
  const text = await context.secret(kubeconfig);
  try {
    config.loadFromString(text);
  } catch (error) {
    throw invalid('kubeconfig: the text is no kubeconfig document', error);
  }
  refuseWhatWouldReach(config);
  return config;
}

const pem = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? value.toString('utf8') : undefined;
};

interface Credentials {
  headers?: Record<string, unknown>;
  auth?: string | null;
  ca?: unknown;
  cert?: unknown;
  key?: unknown;
  rejectUnauthorized?: boolean;
}

async function clusterOf(config: KubeConfig, context: ClusterContext): Promise<Cluster> {
  const credentials: Credentials = {};
  try {
    // The client's type wants a whole request; it only writes these fields.
    await config.applyToHTTPSOptions(credentials as Parameters<KubeConfig['applyToHTTPSOptions']>[0]);
  } catch (error) {
    throw invalid('kubeconfig: its server needs https, or insecure-skip-tls-verify for http', error);
  }
  const headers: Record<string, string> = { accept: 'application/json' };
  for (const [name, value] of Object.entries(credentials.headers ?? {}))
    if (typeof value === 'string') headers[name.toLowerCase()] = value;
  if (typeof credentials.auth === 'string')
    headers['authorization'] = `Basic ${Buffer.from(credentials.auth).toString('base64')}`;
  const tls: EgressTls = {
    isInsecure: credentials.rejectUnauthorized === false,
    ca: pem(credentials.ca),
    cert: pem(credentials.cert),
    key: pem(credentials.key),
  };
  const server = trimEnd(config.getCurrentCluster()?.server ?? '', '/');
  if (!URL.canParse(server)) throw invalid('kubeconfig: the server is no URL');
  const get = async (path: string, query: Record<string, string> = {}): Promise<unknown> => {
    const url = new URL(`${server}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answer = await callService(context, { method: 'GET', url, headers, body: null, tls });
    return jsonOf(path, answer);
  };
  return { config, server, headers, tls, get };
}

/** Opens what the specification's `kubeconfig` names; without one, the cluster this server runs in. */
export async function openCluster(kubeconfig: unknown, context: ClusterContext): Promise<Cluster> {
  return clusterOf(await loadConfig(kubeconfig, context), context);
}

/** The cluster of the operator's own kubeconfig on this machine, with the files and programs that it names. */
export async function openClusterOfFile(path: string, context: ClusterContext): Promise<Cluster> {
  const { KubeConfig: Config } = await import('@kubernetes/client-node');
  const config = new Config();
  try {
    config.loadFromFile(path);
  } catch (error) {
    throw invalid(`KUBECONFIG: ${path} is not there, or is no kubeconfig document`, error);
  }
  refuseWhatGoesElsewhere(config);
  return clusterOf(config, context);
}
