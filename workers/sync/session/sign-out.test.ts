/** Signing out leaves nothing on the device, whatever another tab of the same user writes meanwhile. */
import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionState } from '../../../src/contract/worker.ts';
import { createBus, createNodeSyncPlatform, type Bus } from '../../../tests/backends/node-sync-platform.ts';
import { startPlainBackend, type PlainBackend } from '../../../tests/backends/plain-backend.ts';
import { deletionOf, markForDeletion } from '../../store/delete-store.ts';
import { openKeyValue } from '../../store/key-value.ts';
import { storeNameOf } from '../../../src/domain/store-name.ts';
import { DEVICE_DB, outboxDbName } from '../../store/store-names.ts';
import { createServerLinks } from '../network/server-links.ts';
import { IS_SIGNED_IN, Session } from './session.ts';
import { SyncService } from '../sync-service.ts';
import { SYNC_HANDLERS } from '../../../tests/backends/sync-query-handlers.ts';

let backend: PlainBackend;
let bus: Bus;
const services: SyncService[] = [];

/** A bus whose listeners hear nothing until it is opened; then all of it, in order. */
function heldBack(inner: Bus) {
  let missed: (() => void)[] | null = [];
  return {
    bus: {
      ...inner,
      listen: (listener: (message: unknown) => void) =>
        inner.listen((message) => {
          if (missed === null) listener(message);
          else missed.push(() => listener(message));
        }),
    },
    open() {
      const calls = missed ?? [];
      missed = null;
      for (const call of calls) call();
    },
  };
}

async function openTab(hears: Bus) {
  const platform = createNodeSyncPlatform(backend.origin, hears);
  const service = new SyncService(platform, SYNC_HANDLERS);
  services.push(service);
  const seen: { session: SessionState } = { session: { kind: 'unknown' } };
  await service.subscribeSession((state) => (seen.session = state));
  service.start();
  await expect
    .poll(() => seen.session, { timeout: 20_000 })
    .toMatchObject({ kind: 'signed-in', isConfirmed: true });
  const write = () =>
    service.send({
      name: 'create_incident',
      args: { id: randomUUID(), rootHypothesisId: randomUUID(), title: 'Written late' },
    });
  return { service, seen, write };
}

const storeName = () => storeNameOf(backend.origin, 'u1');
/** Databases of the user who signed out. */
async function leftOver(): Promise<string[]> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  return names.filter((name) => name.includes(storeName()));
}

beforeEach(async () => {
  bus = createBus();
  backend = await startPlainBackend();
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  await backend.close();
  for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name);
});

describe('signing out while another tab of the same user writes', () => {
  /** Two tabs; the first has signed out, and the second, which has not heard of it, wrote a command after that. */
  const writtenLate = async () => {
    const late = heldBack(bus);
    const first = await openTab(bus);
    const second = await openTab(late.bus);
    await first.service.signOut({ keepOutbox: false });
    expect(await second.write()).toMatchObject({ ok: true });
    expect(await leftOver()).toContain(outboxDbName(storeName()));
    return { late, second };
  };

  test('what it wrote before it heard of it goes when it hears', async () => {
    const { late, second } = await writtenLate();
    late.open();
    await expect.poll(() => second.seen.session.kind, { timeout: 20_000 }).toBe('signed-out');
    await expect.poll(leftOver, { timeout: 20_000 }).toEqual([]);
  });

  test('what it wrote before the server told it goes, too', async () => {
    const { second } = await writtenLate();
    backend.user = null;
    backend.weather = 'unauthorized';
    await second.service.refresh();
    await expect.poll(() => second.seen.session.kind, { timeout: 20_000 }).toBe('signed-out');
    await expect.poll(leftOver, { timeout: 20_000 }).toEqual([]);
  });

  test('what it wrote goes at the next start when it ended before it heard of it', async () => {
    const { second } = await writtenLate();
    await second.service.stop();
    expect(await leftOver()).toContain(outboxDbName(storeName()));
    const platform = createNodeSyncPlatform(backend.origin, createBus());
    const next = new SyncService(platform, SYNC_HANDLERS);
    services.push(next);
    next.start();
    await expect.poll(leftOver, { timeout: 20_000 }).toEqual([]);
  });
});

describe('a session that the server ended', () => {
  const ended = async () => {
    const { service, seen } = await openTab(bus);
    // A person's databases are made once it is known whose they are.
    await expect.poll(leftOver, { timeout: 20_000 }).not.toEqual([]);
    backend.user = null;
    backend.weather = 'unauthorized';
    await service.refresh();
    await expect.poll(() => seen.session.kind, { timeout: 20_000 }).toBe('signed-out');
  };

  test('of a wall takes everything along that the screen kept', async () => {
    backend.user = { id: 'u1', name: 'Hall', type: 'wall' };
    await ended();
    await expect.poll(leftOver, { timeout: 20_000 }).toEqual([]);
  });

  test('of a person leaves what is kept for when the same person comes back', async () => {
    await ended();
    await services[0]?.stop();
    expect(await leftOver()).not.toEqual([]);
  });
});

describe('a store that is built anew', () => {
  test('by a tab that ended before it was done is built by the next that finds it broken', async () => {
    const { service, seen, write } = await openTab(bus);
    const device = openKeyValue(DEVICE_DB, indexedDB);
    const left = { keepsOutbox: true, keepsDrafts: true };
    await markForDeletion({ device, idb: indexedDB }, storeName(), left);
    expect(await service.rebuildStore()).toMatchObject({ ok: true });
    expect(await deletionOf(device, storeName())).toBeNull();
    device.close();
    expect(seen.session.kind).toBe('signed-in');
    await expect.poll(async () => (await write()).ok, { timeout: 20_000 }).toBe(true);
  });
});

describe('signing out while something else is under way', () => {
  test('a store that is being built anew is not opened again', async () => {
    const { service, seen } = await openTab(bus);
    const built = service.rebuildStore();
    await service.signOut({ keepOutbox: false });
    await built;
    expect(seen.session.kind).toBe('signed-out');
    await expect.poll(leftOver, { timeout: 20_000 }).toEqual([]);
    expect(await service.send({ name: 'run_check', args: { checkId: randomUUID() } })).toMatchObject({
      ok: false,
    });
    expect(await leftOver()).toEqual([]);
  });

  test('an answer of before, that somebody is signed in, signs nobody in again, at whatever step it is taken', async () => {
    const platform = createNodeSyncPlatform(backend.origin, bus);
    const { front } = createServerLinks(platform, () => null);
    for (let step = 1; step <= 10; step += 1) {
      backend.user = { id: 'u1', name: 'Ada' };
      const kept = openKeyValue(`device ${step}`, platform.idb);
      let [steps, signingOut] = [Number.NEGATIVE_INFINITY, Promise.resolve()];
      const counted = <T>(work: Promise<T>): Promise<T> => {
        steps += 1;
        if (steps === step) signingOut = session.signOut({ keepOutbox: false });
        return work;
      };
      const open: string[] = [];
      const session: Session = new Session({
        platform,
        http: front,
        device: {
          ...kept,
          get: (key) => counted(kept.get(key)),
          set: (key, value) => counted(kept.set(key, value)),
          setAll: (facts) => counted(kept.setAll(facts)),
        },
        onUser: (user) => void open.push(user.storeName),
        onNobody: async () => void open.splice(0),
        hasUnsent: () => Promise.resolve(false),
        onUnreachable: () => {},
      });
      await session.start();
      expect(open).not.toEqual([]);
      steps = 0;
      await session.recheck();
      await signingOut;
      const isSignedIn = await kept.get(IS_SIGNED_IN);
      if (steps >= step) expect({ step, open, isSignedIn }).toEqual({ step, open: [], isSignedIn: false });
      session.stop();
      kept.close();
    }
  }, 60_000);

  test('what is refused while a call may bring a new cookie ends no session', async () => {
    const platform = createNodeSyncPlatform(backend.origin, bus);
    const { front } = createServerLinks(platform, () => null);
    const seen: SessionState['kind'][] = [];
    const session: Session = new Session({
      platform,
      http: front,
      device: openKeyValue('device of one who changes', platform.idb),
      onUser: () => {},
      onNobody: () => Promise.resolve(),
      hasUnsent: () => Promise.resolve(false),
      onUnreachable: () => {},
    });
    session.subscribe(({ kind }) => seen.push(kind));
    await session.start();
    backend.weather = 'unauthorized';
    let answer = () => {};
    const call = session.cookies.during(() => new Promise<void>((resolve) => (answer = resolve)));
    const asked = session.revalidate();
    // The call that brings the cookie ends later than the refusal would have come.
    await new Promise((resolve) => setTimeout(resolve, 200));
    backend.weather = 'fine';
    answer();
    await Promise.all([call, asked]);
    expect(seen.at(-1)).toBe('signed-in');
    expect(seen).not.toContain('signed-out');
    session.stop();
  });
});
