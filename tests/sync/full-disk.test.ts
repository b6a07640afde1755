/** A device whose disk is full, against our real server: it says so, and nothing that it has is taken for damaged. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { seedDatabase } from '../../server/app/seed/seed-query.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { deleteDatabase } from '../../workers/store/dexie-on.ts';
import { packedDbName } from '../../workers/store/store-names.ts';
import { installDisk } from '../backends/full-disk.ts';
import { openSyncDevice } from '../backends/sync-device.ts';
import { startTestServer, type TestServer } from '../security/support/test-server.ts';

const SIZE = { checks: 6, configs: 12, components: 4, incidents: 3, changes: 8, jobs: 4, seed: 5 };
const SETTLE = { timeout: 30_000 };
const TEST_TIMEOUT_MS = 90_000;

const disk = installDisk();
let server: TestServer;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const db = await openMigratedDatabase('postgres');
  await seedDatabase(db, { ...SIZE, relationships: 8, insights: 4, nowMs: Date.now() });
  server = await startTestServer(db, { heartbeatMs: 400 });
  return async () => {
    await server.stop();
    await db.close();
  };
}, 120_000);
afterEach(async () => {
  disk.refuses = () => false;
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => disk.uninstall());

async function openDevice(email: string) {
  const device = await openSyncDevice(server, email);
  stops.push(() => device.stop());
  const condition = async () => {
    const facts = await device.service.storageFacts();
    return facts.ok ? facts.value.condition : facts.error.message;
  };
  return { ...device, condition };
}
const newIncident = (title: string) => ({
  name: 'create_incident' as const,
  args: { id: randomUUID(), rootHypothesisId: randomUUID(), title },
});

const FULL = {
  everything: () => true,
  // There is often room for a mark, and none for what it vouches for.
  rows: (database: string) => database.includes('-packed-'),
};

test.each(['everything', 'rows'] as const)(
  'while its disk has no room for %s a device says so and keeps its store, and goes on from there when there is',
  async (what) => {
    const refuses = FULL[what];
    const { email } = await server.account('responder');
    const device = await openDevice(email);
    const other = await openDevice((await server.account('commander')).email);
    const before = (await device.rows('incidents')).length;
    const theirs = newIncident('Theirs');
    expect(await other.service.send(theirs)).toMatchObject({ ok: true });
    await expect.poll(() => other.has('incidents', theirs.args.id), SETTLE).toBe(true);
    disk.refuses = refuses;
    // What comes can't be kept here, however often that is tried.
    for (const title of ['First', 'Second']) {
      const { refused } = disk;
      await server.db.run(`update incidents set title = $1 where id = $2`, [title, theirs.args.id]);
      await expect.poll(() => disk.refused, SETTLE).toBeGreaterThan(refused);
      await device.service.refresh();
      await expect.poll(() => device.seen.status?.lastError?.code, SETTLE).toBe('quota');
    }
    expect(device.seen.status?.connection).not.toBe('server-unreachable');
    const mine = await device.service.send(newIncident('Mine'));
    expect(mine).toMatchObject(what === 'rows' ? { ok: true } : { ok: false, error: { code: 'quota' } });
    expect(await device.condition()).toBe('fine');
    disk.refuses = () => false;
    await device.service.refresh();
    const titles = async () => (await device.rows('incidents')).map((row) => row['title']);
    await expect.poll(titles, SETTLE).toContain('Second');
    await expect.poll(() => device.seen.status?.lastError ?? null, SETTLE).toBeNull();
    const written = what === 'rows' ? 2 : 1;
    await expect.poll(async () => (await titles()).length, SETTLE).toBe(before + written);
    expect(await device.condition()).toBe('fine');
  },
  TEST_TIMEOUT_MS,
);

test(
  'a damaged store cannot be replaced while the disk is full: its person stays signed in, and is told why',
  async () => {
    const device = await openDevice((await server.account('responder')).email);
    if (device.seen.session.kind !== 'signed-in') throw new Error('nobody is signed in');
    const { storeName } = device.seen.session.user;
    disk.refuses = FULL.everything;
    const { refused } = disk;
    await deleteDatabase(packedDbName(storeName, 'incidents'), device.idb);
    void device.service.refresh();
    await expect.poll(() => disk.refused, SETTLE).toBeGreaterThan(refused);
    await expect.poll(() => device.condition(), SETTLE).not.toBe('fine');
    expect(await device.service.send(newIncident('Mine'))).toMatchObject({
      ok: false,
      error: { code: 'quota' },
    });
    disk.refuses = () => false;
    expect(await device.service.rebuildStore()).toMatchObject({ ok: true });
    await expect.poll(async () => (await device.rows('incidents')).length, SETTLE).toBeGreaterThan(0);
  },
  TEST_TIMEOUT_MS,
);

test('what is written while a store is built anew is sent', async () => {
  const device = await openDevice((await server.account('responder')).email);
  const rebuilt = device.service.rebuildStore();
  const command = newIncident('Meanwhile');
  expect(await device.service.send(command)).toMatchObject({ ok: true });
  expect(await rebuilt).toMatchObject({ ok: true });
  await expect.poll(() => device.has('incidents', command.args.id), SETTLE).toBe(true);
});
