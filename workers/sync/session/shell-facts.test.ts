/** What a page's shell is told of flags and session, by the sync worker against a real HTTP server. */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ShellFacts } from '../../../src/contract/http/shell.ts';
import type { SessionState } from '../../../src/contract/worker.ts';
import { createBus, createNodeSyncPlatform } from '../../../tests/backends/node-sync-platform.ts';
import { startPlainBackend, type PlainBackend } from '../../../tests/backends/plain-backend.ts';
import { storeNameOf } from '../../../src/domain/store-name.ts';
import { SyncService } from '../sync-service.ts';
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
    // The first load brings people, whose roles are asked for again while somebody listens.
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
