/**
 * For tests only: the API server of a cluster that keeps objects: they are made, applied, read, listed by label and taken
 * away; pods come up by a script; their proxy answers.
 */
import { isRecord } from '../../../src/lib/is-record.ts';
import { objectAt, textOf } from '../../catalog/scrapers/health/health.ts';
import type { Json } from '../../catalog/scrapers/health/health.ts';
import { answerPods } from '../../catalog/scrapers/testing/pod-sockets.ts';
import { startJsonServer } from './json-server.ts';
import type { Asked, JsonAnswer } from './json-server.ts';

const TOKEN = 'the-token-of-the-live-cluster';
const RESOURCES: Readonly<Record<string, readonly (readonly [string, string, boolean])[]>> = {
  '/api/v1': [
    ['pods', 'Pod', true],
    ['services', 'Service', true],
    ['configmaps', 'ConfigMap', true],
    ['secrets', 'Secret', true],
    ['namespaces', 'Namespace', false],
  ],
  '/apis/networking.k8s.io/v1': [['ingresses', 'Ingress', true]],
};
const PATH =
  /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)(\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/:]+)(?::(\d+)\/proxy(\/.*))?)?$/;

export interface LiveCluster {
  kubeconfig: string;
  /** By path. */
  objects: Map<string, Json>;
  asked: readonly Asked[];
  /** What a pod says of itself; running and ready unless told. */
  statusOf: (pod: Json) => Json;
  /** What a pod answers to HTTP, by path. */
  pages: Record<string, JsonAnswer>;
  /** What a command in a pod writes, by the last word of it. */
  commands: Record<string, string>;
  stop: () => void;
}

const UP: Json = {
  phase: 'Running',
  conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
    type,
    status: 'True',
  })),
};
const status = (code: number, message: string): JsonAnswer => ({
  status: code,
  body: { kind: 'Status', code, message },
});

function hasLabel(object: Json, selector: string): boolean {
  const [name = '', value] = selector.split('=');
  return objectAt(object, 'metadata', 'labels')[name] === value;
}

/** Starts on a free port of 127.0.0.1. */
export async function startLiveCluster(): Promise<LiveCluster> {
  const objects = new Map<string, Json>();
  const live = { objects, statusOf: () => UP, pages: {}, commands: {} } as unknown as LiveCluster;

  const shown = (object: Json): Json =>
    object['kind'] === 'Pod' ? { ...object, status: live.statusOf(object) } : object;

  const change = ({ method, body }: Asked, path: string): JsonAnswer => {
    const given: unknown = JSON.parse(body);
    const object = isRecord(given) ? given : {};
    if (method === 'PATCH') {
      objects.set(path, object);
      return { body: object };
    }
    const own = `${path}/${textOf(objectAt(object, 'metadata')['name'])}`;
    if (objects.has(own)) return status(409, `"${own}" already exists`);
    objects.set(own, object);
    return { status: 201, body: object };
  };

  const answer = (asked: Asked): JsonAnswer | null => {
    const { url, method, headers } = asked;
    if (headers.authorization !== `Bearer ${TOKEN}`) return status(401, 'Unauthorized');
    const listed = RESOURCES[url.pathname];
    if (listed !== undefined)
      return { body: { resources: listed.map(([name, kind, namespaced]) => ({ name, kind, namespaced })) } };
    const [isKnown, , , , , name, port, page] = PATH.exec(url.pathname) ?? [];
    if (isKnown === undefined) return null;
    if (port !== undefined) return live.pages[page ?? ''] ?? { status: 404, body: 'no such page' };
    if (method === 'POST' || method === 'PATCH') return change(asked, url.pathname);
    const found = objects.get(url.pathname);
    if (name === undefined) {
      const selector = url.searchParams.get('labelSelector') ?? '';
      const items = [...objects].filter(
        ([path, object]) => path.startsWith(`${url.pathname}/`) && hasLabel(object, selector),
      );
      return { body: { kind: 'List', metadata: {}, items: items.map(([, object]) => shown(object)) } };
    }
    if (found === undefined) return status(404, `"${name}" not found`);
    if (method === 'DELETE') objects.delete(url.pathname);
    return { body: shown(found) };
  };

  const server = await startJsonServer(answer);
  answerPods(server.server, (url) => {
    const stdout = live.commands[url.searchParams.getAll('command').at(-1) ?? ''];
    return stdout === undefined
      ? { stderr: 'no such file', status: { status: 'Failure', message: 'exit code 1' } }
      : { stdout, status: { status: 'Success' } };
  });
  const cluster = { server: server.url, 'insecure-skip-tls-verify': true };
  return Object.assign(live, {
    asked: server.asked,
    kubeconfig: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'live',
      clusters: [{ name: 'live', cluster }],
      contexts: [{ name: 'live', context: { cluster: 'live', user: 'runner' } }],
      users: [{ name: 'runner', user: { token: TOKEN } }],
    }),
    stop: () => server.stop(),
  });
}
