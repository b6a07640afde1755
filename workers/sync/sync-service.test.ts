/** The sync worker against a real HTTP server: what it promises about pulls, deletes, silence and users. */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DraftTexts, SessionState, StoreChange, SyncStatus } from '../../src/contract/worker.ts';
import { createBus, createNodeSyncPlatform, type Bus } from '../../tests/backends/node-sync-platform.ts';
import { signInAs } from '../../tests/backends/sign-in.ts';
import { startPlainBackend, type PlainBackend, type Row } from '../../tests/backends/plain-backend.ts';
import { joinOutboxUpdates } from '../../src/contract/outbox/outbox-updates.ts';
import type { OutboxView } from '../../src/contract/outbox/outbox.ts';
import { deleteDatabase } from '../store/dexie-on.ts';
import { openKeyValue } from '../store/key-value.ts';
import { createPackedRowStore } from '../store/packed-row-store.ts';
import { rowShape } from '../store/store-facts.ts';
import { storeNameOf } from '../../src/domain/store-name.ts';
import { DEVICE_DB, metaDbName, packedDbName } from '../store/store-names.ts';
import { SyncService } from './sync-service.ts';
import { SYNC_HANDLERS } from '../../tests/backends/sync-query-handlers.ts';

let backend: PlainBackend;
let bus: Bus;
const services: SyncService[] = [];

const check = (id: string, over: Row = {}): Row => ({
  id,
  canary_id: 'c',
  canary_name: 'canary',
  name: id,
  type: 'http',
  status: 'healthy',
  updated_at: new Date().toISOString(),
  deleted_at: null,
  ...over,
});

/** `slowMs`: how far this device's clock is behind; it may change. */
function start(slowMs: number | (() => number) = 0) {
  const now = () => Date.now() - (typeof slowMs === 'number' ? slowMs : slowMs());
  const platform = { ...createNodeSyncPlatform(backend.origin, bus), now };
  const service = new SyncService(platform, SYNC_HANDLERS);
  services.push(service);
  const seen = { session: [] as SessionState[], status: [] as SyncStatus[] };
  void service.subscribeSession((state) => seen.session.push(state));
  void service.subscribeStatus((status) => seen.status.push(status));
  service.start();
  const status = () => seen.status.at(-1);
  return {
    service,
    platform,
    seen,
    status,
    session: () => seen.session.at(-1),
    settled: () => expect.poll(() => status()?.asOfMs !== null && status()?.isPulling === false).toBe(true),
  };
}
/** What was announced of rows, without the workers' talk among themselves. */
const changesTold = () =>
  bus.messages.filter(
    (message): message is StoreChange =>
      typeof message === 'object' && message !== null && 'collection' in message,
  );
const storeName = (user = 'u1') => storeNameOf(backend.origin, user);
const keptIds = async (user = 'u1') => {
  const there = await indexedDB.databases();
  const name = packedDbName(storeName(user), 'checks');
  if (!there.some((database) => database.name === name)) return [];
  const checks = createPackedRowStore<{ id: string }>({ name, idb: indexedDB }, rowShape);
  const rows = await checks.loadAll();
  await checks.close();
  return rows.map((row) => row.id).toSorted();
};

beforeEach(async () => {
  bus = createBus();
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  await backend.close();
  for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name);
});

describe('on a plain backend', () => {
  beforeEach(async () => {
    backend = await startPlainBackend();
  });

  test('the first load is announced once, when all of it is in', async () => {
    backend.tables.check_summary = Array.from({ length: 2500 }, (_, at) =>
      check(`id-${String(at).padStart(5, '0')}`),
    );
    const { settled, status } = start();
    await settled();
    expect((await keptIds()).length).toBe(2500);
    const changes = changesTold().filter((message) => message.collection === 'checks');
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ isReset: true, sequence: 1 });
    expect(status()?.connection).toBe('polling');
  });

  test('who looked at other collections before they were in is told once that they are', async () => {
    const { service, settled } = start();
    await settled();
    const told = () =>
      changesTold()
        .filter((message) => message.isReset)
        .map((message) => message.collection);
    expect(told()).toEqual(expect.arrayContaining(['incidents', 'incident_records', 'resources', 'configs']));
    const before = told();
    expect(new Set(before).size).toBe(before.length);
    await service.refresh();
    expect(told()).toEqual(before);
  });

  test('a server that sends shorter pages than asked loses no row', async () => {
    backend.pageCap = 300;
    backend.tables.check_summary = Array.from({ length: 1000 }, (_, at) =>
      check(`id-${String(at).padStart(5, '0')}`),
    );
    await start().settled();
    expect((await keptIds()).length).toBe(1000);
  });

  test('changed, new and soft-deleted rows arrive with the next pull', async () => {
    const old = new Date(Date.now() - 3_600_000).toISOString();
    backend.tables.check_summary = [check('a', { updated_at: old }), check('b', { updated_at: old })];
    const { service, settled } = start();
    await settled();
    backend.tables.check_summary = [
      check('a', { updated_at: old, deleted_at: new Date().toISOString() }),
      check('b', { status: 'unhealthy' }),
      check('c'),
    ];
    await service.refresh();
    await expect.poll(() => keptIds()).toEqual(['b', 'c']);
    // Told after it is kept.
    const last = () => changesTold().findLast((message) => message.collection === 'checks');
    await expect.poll(() => last()?.deletedIds).toEqual(['a']);
    expect(last()?.upserts.map((row) => (row as Row).id)).toEqual(['b', 'c']);
  });

  test('a row that became visible behind the cursor is still found', async () => {
    backend.tables.check_summary = [check('a')];
    const { service, settled } = start();
    await settled();
    const late = new Date(Date.now() - 8000).toISOString();
    backend.tables.check_summary.push(check('late', { updated_at: late }));
    await service.refresh();
    await expect.poll(() => keptIds()).toEqual(['a', 'late']);
  });

  test('rows that come again in the overlap are not written again', async () => {
    backend.tables.check_summary = [check('a'), check('b')];
    const { service, settled } = start();
    await settled();
    const before = changesTold().length;
    backend.asked.length = 0;
    await service.refresh();
    await expect.poll(() => backend.asked.some((path) => path.includes('updated_at.gte'))).toBe(true);
    await settled();
    expect(changesTold().length).toBe(before);
  });

  test('a hard-deleted row goes with the sweep after a long absence', async () => {
    backend.tables.check_summary = [check('a'), check('b')];
    const first = start();
    await first.settled();
    await first.service.stop();
    backend.tables.check_summary = [check('b')];
    const meta = openKeyValue(metaDbName(storeName()), indexedDB);
    await meta.set('sweptAt', Date.now() - 11 * 60_000);
    meta.close();
    start();
    await expect.poll(() => keptIds()).toEqual(['b']);
  });

  test('a bad row is skipped and reported once, the rest is kept', async () => {
    backend.tables.check_summary = [
      check('a'),
      { id: 'bad', deleted_at: null },
      { id: 'worse', deleted_at: null },
    ];
    const { settled, platform } = start();
    await settled();
    expect(await keptIds()).toEqual(['a']);
    expect(platform.errors).toHaveLength(1);
  });

  test('a captive portal is not an empty board: what is kept stays, and it says so', async () => {
    backend.tables.check_summary = [check('a')];
    const { service, settled, status } = start();
    await settled();
    backend.weather = 'captive';
    await service.refresh();
    await expect.poll(() => status()?.lastError?.code).toBe('bad_payload');
    expect(status()?.connection).toBe('server-unreachable');
    expect(await keptIds()).toEqual(['a']);
    backend.weather = 'fine';
    await expect.poll(() => status()?.connection).toBe('polling');
    expect(status()).toMatchObject({ downSinceMs: null, lastError: null });
  });

  test('offline is a state, not an error, and as-of survives a restart', async () => {
    backend.tables.check_summary = [check('a')];
    const first = start();
    await first.settled();
    const asOf = first.status()?.asOfMs;
    await first.service.stop();
    backend.weather = 'cut';
    const second = start();
    await second.service.setDeviceState({ isOnline: false, isVisible: true });
    await expect.poll(() => second.status()?.connection).toBe('offline');
    expect(second.session()).toMatchObject({ kind: 'signed-in', isConfirmed: false });
    await expect.poll(() => second.status()).toMatchObject({ asOfMs: asOf, lastError: null });
    expect(second.status()?.downSinceMs).not.toBeNull();
  });

  test('a start without a network and with a clock two hours behind knows what time it is', async () => {
    const first = start();
    await first.settled();
    const asOfMs = first.status()?.asOfMs ?? 0;
    expect(asOfMs).toBeGreaterThan(0);
    const device = openKeyValue(DEVICE_DB, indexedDB);
    await expect.poll(() => device.get('clock'), { timeout: 10_000 }).toBeDefined();
    device.close();
    await first.service.stop();
    backend.weather = 'cut';
    const second = start(7_200_000);
    await second.service.setDeviceState({ isOnline: false, isVisible: true });
    await expect.poll(() => second.status()?.connection).toBe('offline');
    const known = (status: SyncStatus | undefined) => second.platform.now() + (status?.offsetMs ?? 0);
    // The very first word is right but for the seconds between two notes of the clock.
    expect(known(second.seen.status[0])).toBeGreaterThanOrEqual(asOfMs - 10_000);
    await expect.poll(() => known(second.status()), { timeout: 10_000 }).toBeGreaterThanOrEqual(asOfMs);
    expect(second.status()?.downSinceMs).toBeLessThanOrEqual(known(second.status()));
  });

  test('a clock that is set ahead under a running app makes nothing newer than the server', async () => {
    let slowMs = 0;
    const { service, settled, status } = start(() => slowMs);
    await settled();
    const before = status()?.asOfMs ?? 0;
    slowMs = -1_000_000_000_000;
    await service.refresh();
    await expect.poll(() => status()?.asOfMs, { timeout: 10_000 }).not.toBe(before);
    expect(status()?.asOfMs).toBeLessThanOrEqual(Date.now() + 1000);
    expect(status()?.asOfMs).toBeGreaterThanOrEqual(before - 1000);
  });

  test('since when there is no contact is told alike after each start', async () => {
    const first = start();
    await first.settled();
    backend.weather = 'cut';
    await first.service.setDeviceState({ isOnline: false, isVisible: true });
    await expect.poll(() => first.status()?.connection).toBe('offline');
    const since = first.status()?.downSinceMs;
    await new Promise((resolve) => setTimeout(resolve, 50));
    await first.service.stop();
    for (let at = 0; at < 2; at += 1) {
      const next = start();
      await next.service.setDeviceState({ isOnline: false, isVisible: true });
      await expect.poll(() => next.status()?.connection).toBe('offline');
      await expect.poll(() => next.status()?.downSinceMs).toBe(since);
      await next.service.stop();
    }
  });

  test('a text that was begun is there after a restart, and gone for good with its author', async () => {
    const first = start();
    await first.settled();
    expect(await first.service.writeDraft('comment:i1', 'half a th')).toMatchObject({ ok: true });
    await first.service.stop();
    const second = start();
    await second.settled();
    const told: DraftTexts[] = [];
    await second.service.ask('drafts', {}, (drafts) => told.push(drafts));
    await expect.poll(() => told.at(-1)?.texts).toEqual({ 'comment:i1': 'half a th' });
    await second.service.rebuildStore();
    await expect.poll(() => told.at(-1)?.texts).toEqual({ 'comment:i1': 'half a th' });
    await second.service.signOut({ keepOutbox: true });
    const rest = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
    expect(rest.filter((name) => name.includes('draft'))).toEqual([]);
  });

  test('what is written before it is known who is signed in waits for that', async () => {
    const { service, session } = start();
    expect(session()?.kind).toBe('unknown');
    expect(await service.writeDraft('early', 'text')).toMatchObject({ ok: true });
    expect(session()?.kind).toBe('signed-in');
  });

  test('a store that is removed under a running app is noticed and built anew, with every text that was not sent', async () => {
    backend.tables.check_summary = [check('a')];
    const { service, settled } = start();
    await settled();
    await service.setDeviceState({ isOnline: false, isVisible: true });
    const views: OutboxView[] = [];
    const drafts: DraftTexts[] = [];
    await service.ask(
      'outbox',
      {},
      joinOutboxUpdates((view) => views.push(view)),
    );
    await service.ask('drafts', {}, (texts) => drafts.push(texts));
    const id = '00000000-0000-4000-8000-000000000001';
    const args = { id, rootHypothesisId: id, title: 'Unsent' };
    expect(await service.send({ name: 'create_incident', args })).toMatchObject({ ok: true });
    await service.writeDraft('comment:i1', 'half a th');
    const born = await expect
      .poll(() => views.at(-1)?.items.length)
      .toBe(1)
      .then(() => views.at(-1)?.place.bornMs);
    await service.setDeviceState({ isOnline: true, isVisible: true });
    backend.weather = 'cut';
    // The watch has to have seen them once.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    for (const { name = '' } of await indexedDB.databases())
      if (name.includes(storeName())) await deleteDatabase(name, indexedDB);
    const condition = async () => {
      const facts = await service.storageFacts();
      return facts.ok ? facts.value.condition : null;
    };
    await expect.poll(condition, { timeout: 10_000 }).toBe('rebuilt');
    await expect.poll(() => views.at(-1)?.items.map(({ name }) => name)).toEqual(['create_incident']);
    expect(views.at(-1)?.place.bornMs).toBe(born);
    await expect.poll(() => drafts.at(-1)?.texts).toEqual({ 'comment:i1': 'half a th' });
  });

  test('refresh gives up a pull that still runs and begins another', async () => {
    backend.tables.check_summary = [check('a')];
    const { service, settled, status } = start();
    await settled();
    backend.delayMs = 60_000;
    await service.refresh();
    await new Promise((resolve) => setTimeout(resolve, 50));
    backend.delayMs = 0;
    backend.tables.check_summary.push(check('b'));
    await service.refresh();
    await expect.poll(() => keptIds()).toEqual(['a', 'b']);
    expect(status()?.lastError).toBeNull();
  });

  test('a session that ended hides everything but keeps it for the same user', async () => {
    backend.tables.check_summary = [check('a')];
    const { service, settled, session } = start();
    await settled();
    backend.user = null;
    backend.weather = 'unauthorized';
    await service.refresh();
    await expect.poll(() => session()?.kind).toBe('signed-out');
    expect(await keptIds()).toEqual(['a']);
    backend.weather = 'fine';
    expect(await signInAs(service, { identifier: 'u1', password: 'wrong' })).toEqual({
      isSignedIn: false,
      messages: ['Wrong password'],
    });
    expect(await signInAs(service, { identifier: 'u1', password: 'right' })).toMatchObject({
      isSignedIn: true,
    });
    expect(session()).toMatchObject({ kind: 'signed-in', isConfirmed: true });
    expect(await keptIds()).toEqual(['a']);
  });

  test("another user's sign-in deletes what was kept of the one before", async () => {
    backend.tables.check_summary = [check('a')];
    const { service, settled } = start();
    await settled();
    const former = storeName();
    backend.user = null;
    backend.weather = 'unauthorized';
    await service.refresh();
    backend.weather = 'fine';
    await signInAs(service, { identifier: 'u2', password: 'right' });
    const names = (await indexedDB.databases()).map((database) => database.name ?? '');
    expect(names.filter((name) => name.includes(former))).toEqual([]);
  });

  test('signing out offline deletes what is kept, and the server is told before anyone signs in', async () => {
    backend.tables.check_summary = [check('a')];
    const { service, settled, session } = start();
    await settled();
    backend.weather = 'cut';
    await service.signOut();
    expect(session()).toEqual({ kind: 'signed-out' });
    const names = (await indexedDB.databases()).map((database) => database.name ?? '');
    expect(names.filter((name) => name.includes(storeName()))).toEqual([]);
    backend.weather = 'fine';
    backend.asked.length = 0;
    await signInAs(service, { identifier: 'u1', password: 'right' });
    const logout = backend.asked.findIndex((path) => path.includes('logout?token'));
    const login = backend.asked.findIndex((path) => path.includes('login?flow'));
    expect(logout).toBeGreaterThanOrEqual(0);
    expect(login).toBeGreaterThan(logout);
  });

  test('nothing kept and no answer is provisioning, which ends by itself', async () => {
    backend.weather = 'broken';
    const { session, settled } = start();
    await expect.poll(() => session()?.kind).toBe('provisioning');
    backend.weather = 'fine';
    await expect.poll(() => session()?.kind).toBe('signed-in');
    await settled();
  });
});

describe('a single check', () => {
  beforeEach(async () => {
    backend = await startPlainBackend();
  });

  test('history comes from the device when the server is gone, and says what it lacks', async () => {
    const time = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    backend.tables.check_summary = [check('a')];
    backend.tables.check_statuses = [1, 2, 3].map((minutes) => ({
      check_id: 'a',
      time: time(minutes),
      created_at: time(minutes),
      status: minutes !== 2,
      duration: minutes * 100,
    }));
    const { service, settled } = start();
    await settled();
    const query = { checkId: 'a', range: '1h', status: 'All', minMs: null, page: 0, pageSize: 50 } as const;
    const answers: unknown[] = [];
    const history = await service.ask('check-history', query, (page) => answers.push(page));
    await expect
      .poll(() => answers.at(-1))
      .toMatchObject({ ok: true, value: { source: 'server', value: { total: 3 } } });
    await service.refresh();
    await expect.poll(() => backend.asked.some((path) => path.includes('created_at.gte'))).toBe(true);
    await settled();
    await history.close();
    backend.weather = 'cut';
    const offline: unknown[] = [];
    await service.ask('check-history', { ...query, status: 'Unhealthy' }, (page) => offline.push(page));
    await expect
      .poll(() => offline[0])
      .toMatchObject({ value: { source: 'device', isPartial: false, value: { total: 1 } } });
    await service.ask('check-history', { ...query, range: '1w' }, (page) => offline.push(page));
    await expect
      .poll(() => offline.at(-1))
      .toMatchObject({ value: { source: 'device', isPartial: true, value: { total: 3 } } });
  });

  test('runs and chart of a check that fails are here offline, though nobody ever looked at it', async () => {
    const time = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    backend.tables.check_summary = [check('bad', { status: 'unhealthy' }), check('good')];
    const runs = ['bad', 'good'].flatMap((id) =>
      // More than a page of the newest: a whole day.
      Array.from({ length: 500 }, (_, at) => ({
        check_id: id,
        time: time(2 * at + 1),
        created_at: time(2 * at + 1),
        status: id === 'good',
        duration: 20,
      })),
    );
    backend.tables.check_statuses = runs;
    const { service, settled } = start();
    await settled();
    const meta = openKeyValue(metaDbName(storeName()), indexedDB);
    await expect.poll(() => meta.get('statuses'), { timeout: 30_000 }).toHaveProperty('bad');
    expect(backend.asked.some((path) => path.includes('check_id.eq.good'))).toBe(false);
    backend.weather = 'cut';
    const query = {
      checkId: 'bad',
      range: '12h',
      status: 'All',
      minMs: null,
      page: 0,
      pageSize: 50,
    } as const;
    const history: unknown[] = [];
    await service.ask('check-history', query, (page) => history.push(page));
    await expect
      .poll(() => history[0])
      .toMatchObject({ ok: true, value: { source: 'device', isPartial: false, value: { total: 360 } } });
    const graph: unknown[] = [];
    await service.ask('check-graph', { checkId: 'bad', range: '12h' }, (answer) => graph.push(answer));
    await expect
      .poll(() => graph[0])
      .toMatchObject({
        ok: true,
        value: { source: 'device', value: { uptime: { passed: 0, failed: 360 } } },
      });
  });

  test('a check is not run while the server is out of reach', async () => {
    const { service, settled, status } = start();
    await settled();
    backend.weather = 'cut';
    await service.refresh();
    await expect.poll(() => status()?.connection).toBe('server-unreachable');
    backend.asked.length = 0;
    expect(await service.runCheck('a')).toMatchObject({ ok: false, error: { code: 'network' } });
    expect(backend.asked.filter((path) => path.includes('run/check'))).toEqual([]);
  });
});
