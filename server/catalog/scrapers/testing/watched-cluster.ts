/**
 * For tests only: an API server whose objects change while it is watched: lists with versions, watches that resume,
 * bookmarks, versions that it has forgotten, and connections that break.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { objectAt, textOf } from '../health/health.ts';
import type { Json } from '../health/health.ts';
import { answerTo, isOfList } from './recorded-cluster.ts';

interface Told {
  version: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: Json;
}

export interface WatchedCluster {
  kubeconfig: string;
  /** Paths with their queries, as they were asked. */
  asked: URL[];
  /** Adds it, or puts it in the place of the one with its uid. */
  put: (object: Json) => void;
  remove: (uid: string) => void;
  /** Ends every watch, as a network does. */
  breakWatches: () => void;
  /** What was before now can't be watched from any more. */
  forget: () => void;
  /** Tells watches the newest version. */
  bookmark: () => void;
  /** Called once, before a further page of a list is answered. */
  betweenPages: (act: () => void) => void;
  /** How many are watching. */
  watches: () => number;
  close: () => Promise<void>;
}

const uidOf = (object: Json): string => textOf(objectAt(object, 'metadata')['uid']);
const TOKEN = 'the-token-of-the-watched-cluster';

function versioned(object: Json, version: number): Json {
  return { ...object, metadata: { ...objectAt(object, 'metadata'), resourceVersion: String(version) } };
}

const kubeconfigOf = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'watched',
    // The client wants this of a server without TLS.
    clusters: [{ name: 'watched', cluster: { server, 'insecure-skip-tls-verify': true } }],
    contexts: [{ name: 'watched', context: { cluster: 'watched', user: 'reader' } }],
    users: [{ name: 'reader', user: { token: TOKEN } }],
  });

const write = (response: ServerResponse, event: object) => response.write(`${JSON.stringify(event)}\n`);

/** What was told to watches, and who watches. */
function createWatches() {
  let forgotten = 0;
  const history: Told[] = [];
  const watches = new Map<ServerResponse, URL>();
  return {
    size: () => watches.size,
    responses: () => watches.keys(),
    forgetBefore(version: number) {
      forgotten = version;
    },
    tell(told: Told) {
      history.push(told);
      for (const [response, url] of watches) if (isOfList(told.object, url)) write(response, told);
    },
    start(url: URL, response: ServerResponse) {
      const from = Number(url.searchParams.get('resourceVersion'));
      response.writeHead(200, { 'content-type': 'application/json' });
      if (from < forgotten) {
        const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
        response.end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
        return;
      }
      response.flushHeaders();
      for (const told of history)
        if (told.version > from && isOfList(told.object, url)) write(response, told);
      watches.set(response, url);
      response.on('close', () => watches.delete(response));
    },
  };
}

/** What is done once, when it is next run. */
function createPause() {
  let act = () => {};
  return {
    set(next: () => void) {
      act = next;
    },
    run() {
      const now = act;
      act = () => {};
      now();
    },
  };
}

/** Listens on a free port; `close` ends what is connected as well. */
async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handle);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Starts it with these objects. */
export async function startWatchedCluster(first: readonly Json[]): Promise<WatchedCluster> {
  let version = 1000;
  const objects = new Map(first.map((object) => [uidOf(object), versioned(object, version)]));
  // Kinds stay served when their last object is gone.
  const kinds = [...first];
  const asked: URL[] = [];
  const watches = createWatches();
  const pages = createPause();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    asked.push(url);
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      response.writeHead(401).end('{}');
      return;
    }
    if (url.searchParams.has('continue')) pages.run();
    if (url.searchParams.get('watch') === '1') {
      watches.start(url, response);
      return;
    }
    const { status = 200, body } = answerTo({ kinds, objects: [...objects.values()], version }, url);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const { url: address, close } = await listen(handle);
  return {
    kubeconfig: kubeconfigOf(address),
    asked,
    put(object) {
      version += 1;
      const isNew = !objects.has(uidOf(object));
      const stored = versioned(object, version);
      objects.set(uidOf(object), stored);
      watches.tell({ version, type: isNew ? 'ADDED' : 'MODIFIED', object: stored });
    },
    remove(uid) {
      const object = objects.get(uid);
      if (object === undefined) return;
      version += 1;
      objects.delete(uid);
      watches.tell({ version, type: 'DELETED', object: versioned(object, version) });
    },
    breakWatches() {
      for (const response of watches.responses()) response.destroy();
    },
    forget() {
      version += 1;
      watches.forgetBefore(version);
    },
    bookmark() {
      for (const response of watches.responses())
        write(response, {
          type: 'BOOKMARK',
          object: { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion: String(version) } },
        });
    },
    betweenPages: (act) => pages.set(act),
    watches: () => watches.size(),
    close,
  };
}
