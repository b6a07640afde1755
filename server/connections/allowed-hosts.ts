/**
 * Where a secret may be sent: hosts with their ports. A connection's are its own address, or the public one of its
 * service; a mounted secret's stand in the file `allowed-hosts` beside it (docs/security.md).
 */
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import { yamlDocuments, yamlValue } from '../../src/lib/read-yaml.ts';
import { serviceAddress } from '../../src/domain/notification/service-address.ts';
import { kindOfType } from '../../src/domain/notification/service-kind.ts';
import { canonicalHost } from '../platform/egress/egress-guard.ts';
import type { ConnectionValues, SecretReader } from './connection-values.ts';
import { databaseUrl } from './database-address.ts';
import type { Dialect } from './database-address.ts';
import { lookupTable } from '../../src/lib/lookup-table.ts';

/** `*.example.com` is every name below it. */
export interface AllowedHost {
  host: string;
  port: number;
}

/** Beside the values of a mounted secret; no secret itself. */
export const GRANT_KEY = 'allowed-hosts';
const HTTPS_PORT = 443;
const PORTS = lookupTable<number>({
  'http:': 80,
  'https:': HTTPS_PORT,
  'postgres:': 5432,
  'postgresql:': 5432,
  'mysql:': 3306,
  'smtp:': 587,
  'smtps:': 465,
  'sqlserver:': 1433,
  'mssql:': 1433,
  'redis:': 6379,
  'rediss:': 6379,
  'mongodb:': 27_017,
  'ldap:': 389,
  'ldaps:': 636,
});
/** Types whose addresses are read as those of databases. */
const DIALECTS = lookupTable<Dialect>({
  postgres: 'postgres',
  mysql: 'mysql',
  sql_server: 'mssql',
});
/** What an address of the type begins with where it names no scheme. */
const USUAL_SCHEMES = lookupTable<string>({
  redis: 'redis',
  mongo: 'mongodb',
  ldap: 'ldap',
  dynatrace: 'https',
});
const BELOW = '*.';

function canonicalOrNull(host: string): string | null {
  try {
    return canonicalHost(host);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function hostOf(url: URL): AllowedHost | null {
  const host = url.hostname === '' ? null : canonicalOrNull(url.hostname);
  const port = url.port === '' ? PORTS[url.protocol] : Number(url.port);
  return host === null || port === undefined ? null : { host, port };
}

/** One entry: `host`, `host:port`, `*.host`, or an address with its scheme. Null for anything else. */
function readEntry(entry: string): AllowedHost | null {
  const isBelow = entry.startsWith(BELOW);
  const rest = isBelow ? entry.slice(BELOW.length) : entry;
  const text = rest.includes('://') ? rest : `https://${rest}`;
  const place = URL.canParse(text) ? hostOf(new URL(text)) : null;
  return place !== null && isBelow ? { ...place, host: `${BELOW}${place.host}` } : place;
}

/** The hosts that a mounted secret was granted to; none where nobody said so. */
export async function grantedHosts(
  mounted: SecretReader,
  kind: 'secret' | 'configmap',
  name: string,
): Promise<AllowedHost[]> {
  let text: string;
  try {
    text = await mounted(kind, name, GRANT_KEY);
  } catch (error) {
    // Not there: granted to nobody.
    if (error instanceof AppError) return [];
    throw error;
  }
  return text
    .split('\n')
    .map((line) => (line.split('#', 1)[0] ?? '').trim())
    .flatMap((line) => line.split(/[\s,]+/))
    .flatMap((entry) => (entry === '' ? [] : (readEntry(entry) ?? [])));
}

const https = (host: string): AllowedHost => ({ host, port: HTTPS_PORT });
const kubeconfigServers = z.object({
  clusters: z.array(z.object({ cluster: z.object({ server: z.string() }) })),
});
const GITHUB = new Set(['github.com', 'www.github.com']);
/** Where a type's service is when its connection names no address. */
const PUBLIC = lookupTable<readonly AllowedHost[]>({
  aws: [https('*.amazonaws.com'), https('*.amazonaws.com.cn')],
  s3: [https('*.amazonaws.com'), https('*.amazonaws.com.cn')],
  azure: [https('management.azure.com')],
  azure_devops: [https('dev.azure.com')],
  github: [https('api.github.com'), https('github.com')],
  gitlab: [https('gitlab.com')],
  google_cloud: [https('*.googleapis.com')],
  gcs: [https('*.googleapis.com')],
});
/** Where Google gives tokens for keys of service accounts, whatever service they are for. */
const GOOGLE_TOKENS = https('oauth2.googleapis.com');
const GOOGLE = new Set(['google_cloud', 'gcs']);
const SFTP_PORT = 22;

/** The servers of a kubeconfig. */
function clusterHosts(kubeconfig: string): AllowedHost[] {
  const [document] = yamlDocuments(kubeconfig);
  const isRead = document !== undefined && document.errors.length === 0;
  const read = kubeconfigServers.safeParse(isRead ? yamlValue(document) : null);
  const servers = read.success ? read.data.clusters.map(({ cluster }) => cluster.server) : [];
  return servers.flatMap((server) => (URL.canParse(server) ? (hostOf(new URL(server)) ?? []) : []));
}

/** `host`, `host:port` or `sftp://host:port`, with the port that is called. */
function sftpHost(address: string, port = ''): string {
  const text = address.includes('://') ? address : `sftp://${address}`;
  if (!URL.canParse(text)) return '';
  const url = new URL(text);
  return `${url.hostname}:${port || url.port || SFTP_PORT}`;
}

function databaseHost(dialect: Dialect, address: string): AllowedHost[] {
  try {
    const { host, port } = databaseUrl(dialect, { address, username: '', password: '' });
    const known = canonicalOrNull(host);
    return known === null ? [] : [{ host: known, port }];
  } catch (error) {
    // An address that its client does not read is called by nobody.
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** Each of the servers that an address names, which `mongodb://a:1,b:2/` has several of. */
function namedServers(address: string, scheme: string): AllowedHost[] {
  const text = address.includes('://') ? address : `${scheme}://${address}`;
  const [, begin = '', servers = ''] = /^(\w+:\/\/)(?:[^@/]*@)?([^/?#]*)/.exec(text) ?? [];
  return servers.split(',').flatMap((server) => {
    const one = `${begin}${server}`;
    return URL.canParse(one) ? (hostOf(new URL(one)) ?? []) : [];
  });
}

/** Where a connection's own address says that its values go. */
export function connectionHosts(type: string, values: ConnectionValues): AllowedHost[] {
  const { url, properties } = values;
  const dialect = DIALECTS[type];
  if (dialect !== undefined && url !== '') return databaseHost(dialect, url);
  const usual = USUAL_SCHEMES[type];
  if (usual !== undefined) return namedServers(url, properties['scheme'] || usual);
  const service = kindOfType(type) === null ? null : serviceAddress({ ...values, type });
  if (service !== null) return [hostOf(new URL(service.origin)) ?? []].flat();
  const own = URL.canParse(url) ? hostOf(new URL(url)) : null;
  const isPublic = url === '' || (type === 'github' && own !== null && GITHUB.has(own.host));
  if (type === 'kubernetes' && url === '') return clusterHosts(values.certificate);
  // Its address is the name of a host.
  if (type === 'sftp') return [readEntry(sftpHost(url, properties['port'])) ?? []].flat();
  const found = isPublic ? [...(PUBLIC[type] ?? [])] : own === null ? [] : [own];
  // A repository there has its pull requests at the API.
  if (type === 'git' && own?.host === 'github.com' && own.port === HTTPS_PORT)
    return [own, https('api.github.com')];
  if (GOOGLE.has(type)) return [...found, GOOGLE_TOKENS];
  if (type !== 'azure') return found;
  const authority = readEntry(properties['authorityHost'] ?? '') ?? https('login.microsoftonline.com');
  return [...found, authority];
}

/** Whether one of the places is this host and port. */
export function isAllowed(places: readonly AllowedHost[], host: string, port: number | null): boolean {
  const called = canonicalOrNull(host);
  return (
    called !== null &&
    places.some(
      (place) =>
        place.port === port &&
        (place.host.startsWith(BELOW) ? called.endsWith(place.host.slice(1)) : called === place.host),
    )
  );
}
