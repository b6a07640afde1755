/** For tests: a browser's sync worker in hosted mode, with the cookies of its front and what it called. */
import { randomUUID } from 'node:crypto';
import type { ReplicatedRow, CollectionName } from '../../src/contract/collections.ts';
import type { IdentityAnswer, IdentityRequest } from '../../src/contract/http/identity/identity-flow.ts';
import { organizationsSchema } from '../../src/contract/http/identity/organizations.ts';
import { joinOutboxUpdates } from '../../src/contract/outbox/outbox-updates.ts';
import type { OutboxView } from '../../src/contract/outbox/outbox.ts';
import type { SessionState, SyncStatus } from '../../src/contract/worker.ts';
import { SyncService } from '../../workers/sync/sync-service.ts';
import { openUserStore } from '../../workers/sync/store/user-store.ts';
import { createBus, createNodeSyncPlatform } from '../backends/node-sync-platform.ts';
import { passProvider } from './oidc-server.ts';
import { SYNC_HANDLERS } from '../backends/sync-query-handlers.ts';

type OpenEvents = ReturnType<typeof createNodeSyncPlatform>['openEvents'];

export interface Call {
  url: string;
  method: string;
  headers: Headers;
  status: number;
}

/** Reads a stream of the front with its cookies. */
function eventsWith(send: (url: string, init: RequestInit) => Promise<Response>): OpenEvents {
  return (url, names, handlers) => {
    const stop = new AbortController();
    const read = async () => {
      const answer = await send(url, { signal: stop.signal });
      if (!answer.ok || answer.body === null) throw new Error(String(answer.status));
      handlers.onOpen();
      let text = '';
      for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
        text += part;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const event = /^event: (.*)$/m.exec(block)?.[1];
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (event !== undefined && data !== undefined && names.includes(event))
            handlers.onEvent(event, data);
        }
      }
      throw new Error('ended');
    };
    read().catch(() => {
      if (!stop.signal.aborted) handlers.onError();
    });
    return { close: () => stop.abort() };
  };
}

/** A browser that is signed in at the front as `login`, with one worker. */
export async function openHostedDevice(frontUrl: string, login: string) {
  const jar = new Map<string, string>();
  const calls: Call[] = [];
  /** Calls to such addresses fail on the way; so many that carry a token are refused. */
  const state = { cut: null as RegExp | null, refusals: 0 };
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    if (state.cut?.test(url) === true) throw new TypeError('cut');
    const headers = new Headers(init.headers);
    const isBearer = headers.has('authorization');
    if (isBearer && state.refusals > 0) {
      state.refusals -= 1;
      return Response.json({ error: 'Not logged in' }, { status: 401 });
    }
    const isFront = url.startsWith(`${frontUrl}/`);
    if (isFront) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    headers.set('origin', frontUrl);
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    calls.push({ url, method: init.method ?? 'GET', headers, status: answer.status });
    for (const line of isFront ? answer.headers.getSetCookie() : []) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  const start = await send(`${frontUrl}/api/auth/oidc/start`, {});
  await send(await passProvider(start.headers.get('location') ?? '', login), {});

  const bus = createBus();
  const idb = new IDBFactory();
  const base = createNodeSyncPlatform(frontUrl, bus);
  const platform = { ...base, idb, fetch: send, openEvents: eventsWith(send) };
  const seen = {
    session: { kind: 'unknown' } as SessionState,
    sessions: [] as SessionState['kind'][],
    status: null as SyncStatus | null,
    outbox: { items: [], pause: null, place: { storeName: '', bornMs: 0 } } as OutboxView,
  };
  const service = new SyncService(platform, SYNC_HANDLERS);
  await service.subscribeSession((session) => {
    seen.session = session;
    seen.sessions.push(session.kind);
  });
  await service.subscribeStatus((status) => (seen.status = status));
  await service.ask(
    'outbox',
    {},
    joinOutboxUpdates((view) => (seen.outbox = view)),
  );
  service.start();

  const ask = async (request: IdentityRequest): Promise<IdentityAnswer> => {
    const answer = await service.identity.call(request);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };
  const organizations = async () =>
    organizationsSchema.parse((await ask({ do: 'organizations' })).body).organizations;
  return {
    service,
    seen,
    calls,
    idb,
    state,
    errors: base.errors,
    ask,
    organizations,
    async choose(slug: string): Promise<IdentityAnswer> {
      const found = (await organizations()).find((one) => one.slug === slug);
      return ask({ do: 'select-organization', organizationId: found?.id ?? '' });
    },
    /** As a browser's own page would, beside the worker. */
    send,
    /** Where the user of this moment works. */
    place: () =>
      seen.session.kind === 'signed-in' ? (seen.session.user.organization?.slug ?? null) : seen.session.kind,
    storeName: () => (seen.session.kind === 'signed-in' ? seen.session.user.storeName : ''),
    async rows(collection: CollectionName): Promise<ReplicatedRow[]> {
      if (seen.session.kind !== 'signed-in') return [];
      const store = openUserStore({
        storeName: seen.session.user.storeName,
        idb,
        newId: () => randomUUID(),
        onBroken: (error) => {
          throw error;
        },
      });
      return store.rows[collection].loadAll();
    },
  };
}

export type HostedDevice = Awaited<ReturnType<typeof openHostedDevice>>;
