/** A worker may die at any await: what was written arrives, once, and nobody is told otherwise (laws 4 and 12). */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CommandRequest } from '../../../src/contract/commands/all-commands.ts';
import type { OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import {
  bodyOf,
  createCommandBackend,
  type CommandBackend,
  type Fault,
} from '../../../tests/backends/command-backend.ts';
import { guid } from '../../../tests/backends/guid.ts';
import {
  createDevice,
  createTestClock,
  type Crash,
  type Device,
} from '../../../tests/backends/outbox-device.ts';

/** Commands by number: some on one incident, some apart, one that the server refuses. */
function request(n: number): CommandRequest {
  const incident = guid(1 + (n % 3));
  const kinds: CommandRequest[] = [
    { name: 'create_incident', args: { id: incident, rootHypothesisId: guid(10 + (n % 3)), title: 'Down' } },
    { name: 'add_comment', args: { id: guid(100 + n), incidentId: incident, comment: 'hello' } },
    { name: 'edit_incident', args: { id: incident, changes: { title: `title ${n}` } } },
    { name: 'delete_comment', args: { id: guid(900), incidentId: incident } },
    { name: 'run_check', args: { checkId: guid(50) } },
  ];
  return kinds[n % kinds.length] ?? { name: 'run_check', args: { checkId: guid(50) } };
}

interface World {
  device: Device;
  backend: CommandBackend;
  /** Commands of which the app was told that they are safe, in order. */
  promised: string[];
}

function world(faults: Fault[]): World {
  const clock = createTestClock();
  const backend = createCommandBackend(clock.now);
  backend.faults = [...faults];
  const failedOnce = new Set<string>();
  backend.judge = ({ commandId, name }) => {
    if (name === 'delete_comment') return { kind: 'refused', code: 'gone', message: 'gone', current: null };
    if (name !== 'add_comment' || failedOnce.has(commandId)) return null;
    failedOnce.add(commandId);
    return { kind: 'failed', message: 'locked' };
  };
  const device = createDevice({ fetch: (url, init) => backend.fetch(url, init), clock });
  return { device, backend, promised: [] };
}

function isSettled(items: readonly OutboxItem[]): boolean {
  return items.every(({ state }) => state.kind === 'accepted' || state.kind === 'refused');
}

/** One life of a worker: writes, sends, and dies where the crash says, or of old age. */
async function live({ device, promised }: World, numbers: readonly number[], crash: Crash): Promise<void> {
  const worker = device.open(crash);
  const work = async () => {
    for (const n of numbers)
      promised.push((await worker.outbox.append(request(n), device.context())).commandId);
    await worker.start();
  };
  let isOver = false;
  const working = work().catch(() => {
    isOver = true;
  });
  await device.clock.runUntil(() => isOver, 60_000);
  worker.store.close();
  void working;
}

/** A last worker that nothing happens to, until all is quiet. */
async function settle({ device, backend }: World): Promise<OutboxItem[]> {
  backend.faults = [];
  const worker = device.open();
  const run = await worker.start();
  await device.clock.runUntil(async () => isSettled(await worker.store.items()));
  await run.stop();
  const items = await worker.outbox.items();
  await worker.outbox.seen(backend.head());
  expect((await worker.outbox.items()).every(({ state }) => state.kind === 'refused')).toBe(true);
  expect(worker.errors).toEqual([]);
  return items;
}

/** The oracle: what the server did against what the device was told and says. */
function check({ backend, promised }: World, items: readonly OutboxItem[]): void {
  const done = backend.effects.map(({ commandId }) => commandId);
  expect(new Set(done).size).toBe(done.length);
  const byId = new Map(items.map((item) => [item.commandId, item]));
  expect(promised.filter((id) => !byId.has(id))).toEqual([]);
  expect(isSettled(items)).toBe(true);
  for (const { commandId, state } of items)
    expect([commandId, state.kind]).toEqual([commandId, done.includes(commandId) ? 'accepted' : 'refused']);
  expect(done.filter((id) => !byId.has(id))).toEqual([]);
  const placeOf = new Map(done.map((id, place) => [id, place]));
  const accepted = items.filter(({ commandId }) => placeOf.has(commandId));
  for (const [at, later] of accepted.entries()) {
    const earlier = accepted
      .slice(0, at)
      .filter((item) => item.touches.some((id) => later.touches.includes(id)));
    for (const item of earlier)
      expect(placeOf.get(item.commandId)).toBeLessThan(placeOf.get(later.commandId) ?? 0);
  }
}

describe('a worker that dies', () => {
  test(
    'at any await of writing and sending loses nothing and doubles nothing',
    { timeout: 120_000 },
    async () => {
      let at = 0;
      for (let isHit = true; isHit; at += 1) {
        const here = world(['none', 'lost']);
        const crash = { at, steps: 0 };
        await live(here, [0, 1, 2, 3], crash);
        isHit = crash.steps > at;
        check(here, await settle(here));
      }
      expect(at).toBeGreaterThan(30);
    },
  );

  test(
    'at any await of starting to count anew loses nothing and doubles nothing',
    { timeout: 120_000 },
    async () => {
      let at = 0;
      for (let isHit = true; isHit; at += 1) {
        const here = world([]);
        await live(here, [0, 2], { at: Number.POSITIVE_INFINITY, steps: 0 });
        // Results outlive the numbers, as when a device is taken for another one.
        const known = here.backend.fetch;
        let isForeign = true;
        here.backend.fetch = (url, init) => {
          const { deviceId } = bodyOf(init) as { deviceId: string };
          if (isForeign) here.backend.foreignDevices.add(deviceId);
          isForeign = false;
          return known(url, init);
        };
        const crash = { at, steps: 0 };
        await live(here, [5, 7], crash);
        isHit = crash.steps > at;
        check(here, await settle(here));
      }
      expect(at).toBeGreaterThan(20);
    },
  );

  test('whatever is written, whatever strikes, whenever it dies', { timeout: 300_000 }, async () => {
    const fault = fc.constantFrom<Fault>(
      'none',
      'none',
      'cut',
      'lost',
      'captive',
      'broken',
      'unauthorized',
      'busy',
      'timeout',
    );
    const life = fc.record({
      numbers: fc.array(fc.nat(29), { maxLength: 6 }),
      faults: fc.array(fault, { maxLength: 5 }),
      at: fc.oneof(fc.nat(60), fc.constant(Number.POSITIVE_INFINITY)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
        const here = world([]);
        for (const { numbers, faults, at } of lives) {
          here.backend.faults = [...faults];
          await live(here, numbers, { at, steps: 0 });
        }
        check(here, await settle(here));
      }),
      { numRuns: 60, seed: 20240601 },
    );
  });
});
