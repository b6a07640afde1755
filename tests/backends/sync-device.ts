/** For tests only: the sync worker of one browser against a real server, with a network that can be cut. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { CollectionName, ReplicatedRow } from '../../src/contract/collections.ts';
import { joinOutboxUpdates } from '../../src/contract/outbox/outbox-updates.ts';
import type { OutboxView } from '../../src/contract/outbox/outbox.ts';
import type { SessionState, StoreChange, SyncStatus } from '../../src/contract/worker.ts';
import { openUserStore } from '../../workers/sync/store/user-store.ts';
import type { EventHandlers } from '../../workers/sync/platform.ts';
import { SyncService } from '../../workers/sync/sync-service.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import { PASSWORD, type TestServer } from '../security/support/test-server.ts';
import { createBus, createNodeSyncPlatform, openEvents } from './node-sync-platform.ts';
import { signInAs } from './sign-in.ts';
import { SYNC_HANDLERS } from './sync-query-handlers.ts';

/** One browser: its own cookies, databases and clock; signed in. */
export async function openSyncDevice(server: TestServer, email: string) {
  const bus = createBus();
  const jar = new Map<string, string>();
  const idb = new IDBFactory();
  let isCut = false;
  const base = createNodeSyncPlatform(server.url, bus);
  const withCookies = async (url: string, init: RequestInit): Promise<Response> => {
    if (isCut) throw new TypeError('cut');
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...Object.fromEntries(new Headers(init.headers)), cookie, origin: server.url };
    const answer = await fetch(url, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      jar.set(name, value);
    }
    return answer;
  };
  const platform = {
    ...base,
    idb,
    fetch: withCookies,
    openEvents: (url: string, _: readonly string[], handlers: EventHandlers) =>
      openEvents(url, handlers, withCookies),
  };
  let service = new SyncService(platform, SYNC_HANDLERS);
  const seen = {
    session: { kind: 'unknown' } as SessionState,
    status: null as SyncStatus | null,
    outbox: { items: [], pause: null, place: { storeName: '', bornMs: 0 } } as OutboxView,
  };
  const begin = async () => {
    await service.subscribeSession((state) => (seen.session = state));
    await service.subscribeStatus((status) => (seen.status = status));
    await service.ask(
      'outbox',
      {},
      joinOutboxUpdates((view) => (seen.outbox = view)),
    );
    service.start();
  };
  await begin();
  await expect.poll(() => seen.session.kind, { timeout: 5000 }).toBe('signed-out');
  expect(await signInAs(service, { identifier: email, password: PASSWORD })).toMatchObject({
    isSignedIn: true,
  });
  await expect
    .poll(() => [seen.status?.connection, seen.status?.lastError ?? null], { timeout: 20_000 })
    .toEqual(['live', null]);
  const rows = async (collection: CollectionName): Promise<ReplicatedRow[]> => {
    if (seen.session.kind !== 'signed-in') return [];
    const store = openUserStore({
      storeName: seen.session.user.storeName,
      idb,
      newId: () => randomUUID(),
      onBroken: (error) => {
        throw error;
      },
    });
    const found = await store.rows[collection].loadAll();
    return found;
  };
  const has = async (collection: CollectionName, id: string) =>
    (await rows(collection)).some((row) => row.id === id);
  return {
    get service() {
      return service;
    },
    stop: () => service.stop(),
    /** Another worker on the same databases, after the one before was stopped. */
    restart: () => {
      service = new SyncService(platform, SYNC_HANDLERS);
      return begin();
    },
    seen,
    bus,
    rows,
    has,
    /** The browser's databases. */
    idb,
    errors: base.errors,
    changes: () =>
      bus.messages.filter(
        (one): one is StoreChange => typeof one === 'object' && one !== null && 'collection' in one,
      ),
    /** Somebody signs in with this browser, and this tab doesn't notice. */
    async signInBeside(other: string) {
      const browser = openTestBrowser(server.url);
      await browser.signIn(other, PASSWORD);
      for (const [name, value] of browser.cookies) jar.set(name, value);
    },
    cut(isNow: boolean) {
      isCut = isNow;
      void service.setDeviceState({ isOnline: !isNow, isVisible: true });
    },
  };
}

export type SyncDevice = Awaited<ReturnType<typeof openSyncDevice>>;
