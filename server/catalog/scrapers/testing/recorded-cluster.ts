/**
 * For tests only: plays the API server of a cluster from recorded objects: version, discovery, and lists in pages
 * to whom the token belongs. Objects may be changed while it runs.
 */
import { listOf, objectAt, textOf } from '../health/health.ts';
import type { Json } from '../health/health.ts';
import type { TestCertificate } from '../../../health/testing/test-certificate.ts';
import { startLocalServer } from './local-server.ts';
import type { Answered, Asked, LocalServer } from './local-server.ts';

export interface RecordedCluster extends LocalServer {
  objects: Json[];
  /** Paths that answer with a status instead. */
  broken: Map<string, number>;
  kubeconfig: string;
}

const TOKEN = 'the-token-of-the-recorded-cluster';
const PLURALS: Readonly<Record<string, string>> = { Ingress: 'ingresses', NetworkPolicy: 'networkpolicies' };

const pluralOf = (kind: string): string => PLURALS[kind] ?? `${kind.toLowerCase()}s`;
const versionOf = (object: Json): string => textOf(object['apiVersion']);
const namespaceOf = (object: Json): string => textOf(objectAt(object, 'metadata')['namespace']);

function resourceList(objects: readonly Json[], groupVersion: string): Json {
  const kinds = new Map<string, boolean>();
  for (const object of objects) {
    const kind = textOf(object['kind']);
    if (versionOf(object) === groupVersion)
      kinds.set(kind, (kinds.get(kind) ?? false) || namespaceOf(object) !== '');
  }
  const resources = [...kinds].flatMap(([kind, namespaced]) => [
    { name: pluralOf(kind), singularName: '', kind, namespaced, verbs: ['get', 'list', 'watch'] },
    { name: `${pluralOf(kind)}/status`, singularName: '', kind, namespaced, verbs: ['get', 'patch'] },
  ]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

function groupList(objects: readonly Json[]): Json {
  const versions = new Set(objects.map(versionOf).filter((version) => version.includes('/')));
  const groups = [...versions].map((groupVersion) => {
    const [name = '', version = ''] = groupVersion.split('/');
    const one = { groupVersion, version };
    return { name, versions: [one], preferredVersion: one };
  });
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

const LIST = /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)$/;
const DISCOVERY = /^\/(?:api|apis\/([^/]+))\/([^/]+)$/;

/** What an API server has. */
interface Served {
  /** An object of each kind that it knows, at least. */
  kinds: readonly Json[];
  objects: readonly Json[];
  version: number;
}

function page({ objects: found, version }: Pick<Served, 'objects' | 'version'>, url: URL): Answered {
  const start = Number(url.searchParams.get('continue') ?? 0);
  const end = start + Number(url.searchParams.get('limit') ?? found.length);
  const next = end < found.length ? { continue: String(end) } : {};
  // A real list leaves both out of its items.
  const items = found.slice(start, end).map(({ apiVersion: _v, kind: _k, ...item }) => item);
  const metadata = { resourceVersion: String(version), ...next };
  return { body: { kind: 'List', apiVersion: 'v1', metadata, items } };
}

/** Whether the object is one of those that are listed there; of the selectors only equal labels are known. */
export function isOfList(object: Json, url: URL): boolean {
  const [isList, listGroup, listVersion, namespace, plural] = LIST.exec(url.pathname) ?? [];
  const wanted = listGroup === undefined ? 'v1' : `${listGroup}/${listVersion ?? ''}`;
  const labels = objectAt(object, 'metadata', 'labels');
  const pairs = (url.searchParams.get('labelSelector') ?? '').split(',').filter((pair) => pair !== '');
  return (
    isList !== undefined &&
    versionOf(object) === wanted &&
    pluralOf(textOf(object['kind'])) === plural &&
    (namespace === undefined || namespaceOf(object) === namespace) &&
    pairs.every((pair) => labels[pair.split('=')[0] ?? ''] === pair.split('=')[1])
  );
}

/** Version, discovery, lists in pages. */
export function answerTo({ kinds, objects, version }: Served, url: URL): Answered {
  if (/^\/version\/?$/.test(url.pathname))
    return { body: { major: '1', minor: '31', gitVersion: 'v1.31.2', platform: 'linux/amd64' } };
  if (/^\/apis\/?$/.test(url.pathname)) return { body: groupList(kinds) };
  const [isDiscovery, group, of] = DISCOVERY.exec(url.pathname.replace(/\/$/, '')) ?? [];
  if (isDiscovery !== undefined)
    return { body: resourceList(kinds, group === undefined ? 'v1' : `${group}/${of ?? ''}`) };
  if (!LIST.test(url.pathname)) return { status: 404, body: { kind: 'Status', code: 404 } };
  return page({ objects: objects.filter((object) => isOfList(object, url)), version }, url);
}

function kubeconfigOf(server: string, certificate: TestCertificate): string {
  const ca = Buffer.from(certificate.ca).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'recorded',
    clusters: [{ name: 'recorded', cluster: { server, 'certificate-authority-data': ca } }],
    contexts: [{ name: 'recorded', context: { cluster: 'recorded', user: 'reader' } }],
    users: [{ name: 'reader', user: { token: TOKEN } }],
  });
}

/** Starts the cluster; `objects` are single objects and lists. */
export async function startRecordedCluster(
  objects: readonly Json[],
  certificate: TestCertificate,
): Promise<RecordedCluster> {
  const own = objects.flatMap((object) =>
    textOf(object['kind']).endsWith('List') ? listOf(object['items']) : [object],
  );
  const broken = new Map<string, number>();
  const answer = ({ url, headers }: Asked): Answered => {
    if (headers['authorization'] !== `Bearer ${TOKEN}`) return { status: 401, body: { kind: 'Status' } };
    const status = broken.get(url.pathname.replace(/\/$/, ''));
    return status === undefined
      ? answerTo({ kinds: own, objects: own, version: 1 }, url)
      : { status, body: { kind: 'Status', code: status } };
  };
  const started = await startLocalServer(answer, certificate);
  return { ...started, objects: own, broken, kubeconfig: kubeconfigOf(started.url, certificate) };
}
