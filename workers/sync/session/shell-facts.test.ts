/** What a page's shell is told of flags and session, by the sync worker against a real HTTP server. */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ShellFacts } from '../../../src/contract/http/shell.ts';
import type { SessionState, StoreChange } from '../../../src/contract/worker.ts';
import { createBus, createNodeSyncPlatform } from '../../../tests/backends/node-sync-platform.ts';
import { startPlainBackend, type PlainBackend } from '../../../tests/backends/plain-backend.ts';
import { storeNameOf } from '../../../src/domain/store-name.ts';
import { createHttpClient } from '../network/http-client.ts';
import { createServerClock } from '../network/server-clock.ts';
import { SyncService } from '../sync-service.ts';
import { ShellFactsStore } from './shell-facts.ts';
import { SYNC_HANDLERS } from '../../../tests/backends/sync-query-handlers.ts';

const SOON = { timeout: 30_000 };

let backend: PlainBackend;
let service: SyncService;
let facts: ShellFacts[];
let sessions: SessionState[];

beforeEach(async () => {
  backend = await startPlainBackend();
  backend.properties = [{ name: 'topology.disable', value: 'true' }];
  service = new SyncService(createNodeSyncPlatform(backend.origin, createBus()), SYNC_HANDLERS);
  facts = [];
  sessions = [];
  void service.subscribeSession((state) => sessions.push(state));
  service.start();
});
afterEach(async () => {
  await service.stop();
  await backend.close();
  for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name);
});

const listen = () => service.subscribeShell((told) => facts.push(told));

describe('flags for the shell', () => {
  test('are told with whose they are; a backend without our extras is not health-only', async () => {
    await listen();
    await expect.poll(() => facts.length, SOON).toBe(1);
    expect(facts[0]).toEqual({
      storeName: storeNameOf(backend.origin, 'u1'),
      properties: [{ name: 'topology.disable', value: 'true' }],
      isChecksOnly: false,
      hasClusterProxy: true,
    });
  });

  test('are asked again on refresh', async () => {
    await listen();
    await expect.poll(() => facts.length, SOON).toBe(1);
    backend.properties = [];
    await service.refresh();
    await expect.poll(() => facts.at(-1)?.properties, SOON).toEqual([]);
  });

  test('a server that fails is asked until it answers', async () => {
    await expect.poll(() => sessions.at(-1)?.kind, SOON).toBe('signed-in');
    backend.weather = 'broken';
    await listen();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(facts).toEqual([]);
    backend.weather = 'fine';
    await expect.poll(() => facts.length, SOON).toBe(1);
  });

  test('nobody listening, nobody asks', async () => {
    await expect.poll(() => sessions.at(-1)?.kind, SOON).toBe('signed-in');
    await service.refresh();
    const stop = await listen();
    await expect.poll(() => facts.length, SOON).toBeGreaterThan(0);
    stop();
    // What was sent before may still arrive.
    await new Promise((resolve) => setTimeout(resolve, 500));
    backend.asked.length = 0;
    await service.refresh();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(backend.asked.filter((path) => path.includes('/api/properties'))).toEqual([]);
  });
});

describe('rows that came in', () => {
  const change = (rows: Partial<StoreChange>): StoreChange => ({
    storeName: 'store',
    sequence: 1,
    sender: 'worker',
    collection: 'resources',
    isReset: false,
    upserts: [],
    deletedIds: [],
    ...rows,
  });
  const person = { id: 'person:u1', kind: 'person' };
  const asked = () => backend.asked.filter((path) => path.includes('/api/properties')).length;

  test('ask again, but for a whole snapshot right after the facts were asked for', async () => {
    let elapsedMs = 0;
    const platform = { ...createNodeSyncPlatform(backend.origin, createBus()), elapsed: () => elapsedMs };
    const store = new ShellFactsStore({
      platform,
      http: createHttpClient(platform, createServerClock(platform)),
      onUnauthorized: () => {},
      onLookAgain: async () => {},
    });
    const stop = store.follow('store', (told) => facts.push(told));
    await expect.poll(() => facts.length, SOON).toBe(1);
    const before = asked();
    elapsedMs = 1_000;
    store.noteStored(change({ isReset: true, upserts: [person] }));
    store.noteStored(change({ collection: 'checks', isReset: true }));
    store.noteStored(change({ upserts: [{ id: 'team:t1', kind: 'team' }] }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(asked()).toBe(before);
    store.noteStored(change({ upserts: [person] }));
    await expect.poll(asked, SOON).toBe(before + 1);
    elapsedMs = 60_000;
    store.noteStored(change({ isReset: true }));
    await expect.poll(asked, SOON).toBe(before + 2);
    stop();
  });
});

describe('looking at the session again', () => {
  test('says whether somebody is signed in, and a session that is over ends it here, too', async () => {
    await expect.poll(() => sessions.at(-1), SOON).toMatchObject({ kind: 'signed-in', isConfirmed: true });
    expect(await service.checkSession()).toEqual({ ok: true, value: true });
    backend.user = null;
    expect(await service.checkSession()).toEqual({ ok: true, value: false });
    expect(sessions.at(-1)).toEqual({ kind: 'signed-out' });
  });

  test('without an answer nothing ends', async () => {
    await expect.poll(() => sessions.at(-1), SOON).toMatchObject({ kind: 'signed-in', isConfirmed: true });
    backend.weather = 'cut';
    expect(await service.checkSession()).toMatchObject({ ok: false, error: { code: 'network' } });
    expect(sessions.at(-1)?.kind).toBe('signed-in');
  });
});
