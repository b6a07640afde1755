/** A device whose disk is full, against our real server: it says so, and nothing that it has is taken for damaged. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { seedDatabase } from '../../server/app/seed/seed-query.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
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
  disk.isFull = false;
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

test(
  'while its disk is full a device says so and keeps its store, and goes on from there when there is room',
  async () => {
    const { email } = await server.account('responder');
    const device = await openDevice(email);
    const other = await openDevice((await server.account('commander')).email);
    const before = (await device.rows('incidents')).length;
    const theirs = newIncident('Theirs');
    expect(await other.service.send(theirs)).toMatchObject({ ok: true });
    await expect.poll(() => other.has('incidents', theirs.args.id), SETTLE).toBe(true);
    disk.isFull = true;
    // What comes can't be kept here, however often that is tried.
    for (const title of ['First', 'Second']) {
      const { refused } = disk;
      await server.db.run(`update incidents set title = $1 where id = $2`, [title, theirs.args.id]);
      await expect.poll(() => disk.refused, SETTLE).toBeGreaterThan(refused);
      await device.service.refresh();
      await expect.poll(() => device.seen.status?.lastError?.code, SETTLE).toBe('quota');
    }
    expect(device.seen.status?.connection).not.toBe('server-unreachable');
    expect(await device.service.send(newIncident('Mine'))).toMatchObject({
      ok: false,
      error: { code: 'quota' },
    });
    expect(await device.condition()).toBe('fine');
    disk.isFull = false;
    await device.service.refresh();
    const titles = async () => (await device.rows('incidents')).map((row) => row['title']);
    await expect.poll(titles, SETTLE).toContain('Second');
    await expect.poll(() => device.seen.status?.lastError ?? null, SETTLE).toBeNull();
    expect((await titles()).length).toBe(before + 1);
    expect(await device.condition()).toBe('fine');
  },
  TEST_TIMEOUT_MS,
);
