/** For tests only: the API server of a cluster that runs pods by a script: what each container writes, and how it ends. */
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answerPods } from '../../../catalog/scrapers/testing/pod-sockets.ts';

const TOKEN = 'the-token-of-the-pod-cluster';

export interface ContainerScript {
  lines: string[];
  /** Null: it goes on until the pod is taken away. */
  exitCode: number | null;
  /** It never begins, for this reason. */
  stuck?: string;
}

interface Container {
  name: string;
  env?: { name: string; value: string }[];
  command?: string[];
  args?: string[];
  volumeMounts?: object[];
}

export interface RunPod {
  metadata: { name: string; namespace: string; labels: Record<string, string> };
  spec: {
    containers: Container[];
    initContainers?: Container[];
    volumes?: object[];
    activeDeadlineSeconds: number;
  };
}

export interface PodCluster {
  kubeconfig: string;
  /** Pods that were asked for, with those that are gone. */
  made: RunPod[];
  /** Names of those that are there. */
  there: Set<string>;
  /** By the container's name. */
  scripts: Record<string, ContainerScript>;
  /** What files hold, by path. */
  files: Record<string, string>;
  /** Status and message that a creation is refused with. */
  refusal: { status: number; message: string } | null;
  /** Called before a pod is made, its log is read, and it is taken away. */
  onCall: (call: 'create' | 'follow' | 'remove') => void;
  close: () => Promise<void>;
}

const say = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** A script's lines come one after the other; between two of them the log is open. */
const LINE_EVERY_MS = 50;

class Cluster {
  readonly made: RunPod[] = [];
  readonly there = new Set<string>();
  scripts: Record<string, ContainerScript> = {};
  files: Record<string, string> = {};
  refusal: PodCluster['refusal'] = null;
  onCall: PodCluster['onCall'] = () => undefined;
  private readonly ended = new Set<string>();

  create(pod: RunPod, response: ServerResponse): void {
    this.onCall('create');
    this.made.push(pod);
    if (this.refusal !== null) {
      say(response, this.refusal.status, { kind: 'Status', message: this.refusal.message });
      return;
    }
    this.there.add(pod.metadata.name);
    this.ended.clear();
    say(response, 201, pod);
  }

  remove(name: string, response: ServerResponse): void {
    this.onCall('remove');
    say(response, this.there.delete(name) ? 200 : 404, { kind: 'Status', message: 'gone' });
  }

  state(name: string, response: ServerResponse): void {
    const pod = this.made.find(({ metadata }) => metadata.name === name);
    if (pod === undefined || !this.there.has(name)) {
      say(response, 404, { kind: 'Status', message: 'not found' });
      return;
    }
    let isBlocked = false;
    const statuses = (containers: Container[]) =>
      containers.map(({ name: container }) => {
        const script = this.scripts[container];
        const isOver = this.ended.has(`${name}/${container}`);
        const exitCode = script?.exitCode ?? 0;
        const state = isOver
          ? { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' } }
          : isBlocked
            ? { waiting: { reason: 'PodInitializing' } }
            : script?.stuck === undefined
              ? { running: {} }
              : { waiting: { reason: script.stuck, message: 'Back-off pulling image' } };
        return { name: container, state, ready: true, restartCount: 0, image: '', imageID: '' };
      });
    const first = statuses(pod.spec.initContainers ?? []);
    isBlocked = first.some(({ state }) => state.terminated?.exitCode !== 0);
    const hasFailed = first.some(({ state }) => (state.terminated?.exitCode ?? 0) !== 0);
    const status = {
      phase: hasFailed ? 'Failed' : 'Running',
      initContainerStatuses: first,
      containerStatuses: statuses(pod.spec.containers),
    };
    say(response, 200, { ...pod, status });
  }

  log(name: string, container: string, response: ServerResponse): void {
    this.onCall('follow');
    const { lines = [], exitCode = 0 } = this.scripts[container] ?? {};
    response.writeHead(200, { 'content-type': 'text/plain' });
    const left = [...lines];
    const timer = setInterval(() => {
      const line = left.shift();
      if (line !== undefined) response.write(line);
      else if (exitCode !== null || !this.there.has(name)) {
        clearInterval(timer);
        this.ended.add(`${name}/${container}`);
        response.end();
      }
    }, LINE_EVERY_MS);
    response.on('close', () => clearInterval(timer));
  }
}

const POD = /^\/api\/v1\/namespaces\/[^/]+\/pods(?:\/([^/]+)(\/log)?)?$/;

/** Starts on a free port of 127.0.0.1. */
export async function startPodCluster(): Promise<PodCluster> {
  const cluster = new Cluster();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://cluster');
    const [isPod, name = '', log] = POD.exec(url.pathname) ?? [];
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.headers.authorization !== `Bearer ${TOKEN}`) say(response, 401, { kind: 'Status' });
      else if (isPod === undefined) say(response, 404, { kind: 'Status' });
      else if (request.method === 'POST')
        cluster.create(JSON.parse(Buffer.concat(chunks).toString()) as RunPod, response);
      else if (request.method === 'DELETE') cluster.remove(name, response);
      else if (log !== undefined) cluster.log(name, url.searchParams.get('container') ?? '', response);
      else cluster.state(name, response);
    });
  });
  answerPods(server, (url) => {
    const path = url.searchParams.getAll('command').at(-1) ?? '';
    const content = cluster.files[path];
    return content === undefined
      ? { stderr: `cat: ${path}: No such file`, status: { status: 'Failure', message: 'exit code 1' } }
      : { stdout: content, status: { status: 'Success' } };
  });
  // Those that were upgraded are in no list of the server's.
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [
      { name: 'test', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
    ],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'runner', namespace: 'playbooks' } }],
    users: [{ name: 'runner', user: { token: TOKEN } }],
  });
  return Object.assign(cluster, {
    kubeconfig,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  });
}
