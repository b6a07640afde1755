/** What sending promises: once, in order, never late, never lost (design §4 laws 4, 6, 8, 9, 12). */
import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import { bodyOf, createCommandBackend, type Fault } from '../../../tests/backends/command-backend.ts';
import { guid } from '../../../tests/backends/guid.ts';
import { createDevice, createTestClock, type Worker } from '../../../tests/backends/outbox-device.ts';
import type { CommandRequest } from '../../../src/contract/commands/all-commands.ts';
import type { OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import { FencedError } from './storage/storage-error.ts';

const [incident, root, other] = [guid(1), guid(2), guid(3)];
const create: CommandRequest = {
  name: 'create_incident',
  args: { id: incident, rootHypothesisId: root, title: 'Down' },
};
function comment(n: number, on = incident): CommandRequest {
  return { name: 'add_comment', args: { id: guid(n), incidentId: on, comment: `comment ${n}` } };
}
const runCheck: CommandRequest = { name: 'run_check', args: { checkId: guid(9) } };

function setup() {
  const clock = createTestClock();
  const backend = createCommandBackend(clock.now);
  const device = createDevice({ fetch: (url, init) => backend.fetch(url, init), clock });
  const worker = device.open();
  const write = (...requests: CommandRequest[]) => writeIn(worker, requests);
  const writeIn = async (here: Worker, requests: CommandRequest[]) => {
    const ids: string[] = [];
    for (const request of requests) ids.push((await here.outbox.append(request, device.context())).commandId);
    return ids;
  };
  const isSettled = async () => {
    const items = await worker.outbox.items();
    return items.every(({ state }) => state.kind === 'accepted' || state.kind === 'refused');
  };
  const drain = async (here: Worker = worker) => {
    const run = await here.start();
    await clock.runUntil(isSettled);
    await run.stop();
  };
  const done = () => backend.effects.map(({ commandId }) => commandId);
  return { clock, backend, device, worker, write, drain, done, isSettled };
}

function kinds(items: readonly OutboxItem[]): string[] {
  return items.map(({ state }) => (state.kind === 'refused' ? state.code : state.kind));
}

describe('sending', () => {
  test('what was written offline arrives in one go, in order, each with the next number', async () => {
    const { write, drain, done, backend, worker } = setup();
    const ids = await write(create, comment(4), comment(5), runCheck);
    await drain();
    expect(done()).toEqual(ids);
    expect(backend.batches.map(({ seqs }) => seqs)).toEqual([[1, 2, 3, 4]]);
    expect(kinds(await worker.outbox.items())).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
  });

  test('each says when it was written, however much later it is sent', async () => {
    const { write, drain, backend, clock } = setup();
    const startedMs = clock.now();
    const written: (string | undefined)[] = [];
    backend.judge = ({ writtenAt }) => {
      written.push(writtenAt);
      return null;
    };
    await write(create);
    clock.later(2_400_000, () => {});
    await clock.runUntil(() => clock.now() > startedMs);
    await write(comment(4));
    await drain();
    expect(written).toEqual([0, 2_400_000].map((afterMs) => new Date(startedMs + afterMs).toISOString()));
  });

  test('each delivery of which something was done is told, so that it is looked for where no stream brings it', async () => {
    const { write, drain, worker } = setup();
    await write(create, comment(4));
    await drain();
    expect(worker.acceptances).toBe(1);
    await write(comment(5));
    await drain();
    expect(worker.acceptances).toBe(2);
  });

  test('what its author may still take back does not leave, nor does what follows on the same incident', async () => {
    const { worker, device, backend, clock, drain, done } = setup();
    const held = { ...device.context(), holdMs: 8000 };
    const { commandId } = await worker.outbox.append(create, held);
    const after = await worker.outbox.append(comment(4), device.context());
    const elsewhere = await worker.outbox.append(comment(5, other), device.context());
    const run = await worker.start();
    await clock.runUntil(() => backend.effects.length > 0);
    expect(done()).toEqual([elsewhere.commandId]);
    await run.stop();
    await worker.outbox.drop(commandId);
    await drain();
    expect(done()).toEqual([elsewhere.commandId, after.commandId]);
  });

  test('what nobody took back leaves by itself when its time is over', async () => {
    const { worker, device, drain, done, clock } = setup();
    const startedMs = clock.now();
    const { commandId } = await worker.outbox.append(create, { ...device.context(), holdMs: 8000 });
    await drain();
    expect(done()).toEqual([commandId]);
    expect(clock.now() - startedMs).toBeGreaterThanOrEqual(8000);
  });

  test('a number is durable before the command leaves', async () => {
    const { write, worker, backend, device, clock } = setup();
    await write(create);
    const seen: OutboxItem[][] = [];
    const second = device.open();
    const answer = backend.fetch;
    backend.fetch = async (url, init) => {
      seen.push(await second.outbox.items());
      return await answer(url, init);
    };
    const run = await worker.start();
    await clock.runUntil(() => backend.effects.length > 0);
    await run.stop();
    expect(seen[0]?.map(({ state }) => state)).toEqual([{ kind: 'sent', seq: 1 }]);
  });

  test.each<Fault>(['cut', 'lost', 'captive', 'broken', 'busy', 'timeout'])(
    'after "%s" the same command comes under the same number and is done once',
    async (fault) => {
      const { write, drain, done, backend } = setup();
      const ids = await write(create, comment(4));
      backend.faults = [fault, fault, fault];
      await drain();
      expect(done()).toEqual(ids);
      expect(new Set(backend.batches.map(({ seqs }) => seqs.join()))).toEqual(new Set(['1,2']));
    },
  );

  test('more than a batch holds goes in several, without a gap', async () => {
    const { write, drain, done, backend } = setup();
    const ids = await write(...Array.from({ length: 120 }, (_, n) => comment(100 + n)));
    await drain();
    expect(done()).toEqual(ids);
    expect(backend.batches.map(({ seqs }) => seqs.length)).toEqual([50, 50, 20]);
  });

  test('a server that says when to come back is not asked before, not even when the network returns', async () => {
    const { write, worker, backend, clock } = setup();
    await write(create);
    backend.faults = ['busy'];
    const startMs = clock.now();
    const run = await worker.start();
    await clock.runUntil(() => backend.faults.length === 0);
    worker.sender.wake();
    await clock.runUntil(() => backend.effects.length > 0);
    await run.stop();
    expect((backend.batches[0]?.atMs ?? 0) - startMs).toBeGreaterThanOrEqual(7000);
  });

  test('a server that stays down is asked at most once in half a minute on average', async () => {
    const { write, worker, backend, clock } = setup();
    await write(create);
    backend.weather = 'broken';
    let asked = 0;
    const answer = backend.fetch;
    backend.fetch = (url, init) => {
      asked += 1;
      return answer(url, init);
    };
    const run = await worker.start();
    await clock.runUntil(() => asked >= 7);
    const sinceMs = clock.now();
    asked = 0;
    await clock.runUntil(() => asked >= 20);
    expect((clock.now() - sinceMs) / 20).toBeGreaterThanOrEqual(30_000 * 0.99);
    await run.stop();
  });

  test('when the network returns it is tried at once', async () => {
    const { write, worker, backend, clock } = setup();
    await write(create);
    backend.weather = 'cut';
    const run = await worker.start();
    let asked = 0;
    const answer = backend.fetch;
    backend.fetch = (url, init) => {
      asked += 1;
      return answer(url, init);
    };
    await clock.runUntil(() => asked >= 8);
    backend.weather = 'none';
    const backMs = clock.now();
    worker.sender.wake();
    await clock.runUntil(() => backend.effects.length > 0, 0);
    await run.stop();
    expect(backend.effects[0]?.atMs).toBe(backMs);
  });

  test('a session that ends in the middle of 200 pauses; signing in again brings the rest, once each', async () => {
    const { write, worker, backend, clock, done, isSettled } = setup();
    const ids = await write(...Array.from({ length: 200 }, (_, n) => comment(100 + n)));
    backend.faults = ['none', 'lost', 'unauthorized'];
    const run = await worker.start();
    await clock.runUntil(() => worker.unauthorized > 0);
    const batches = backend.batches.length;
    expect((await worker.outbox.view()).pause).toBe('signed-out');
    await clock.runUntil(() => false, 60 * 60_000);
    expect(backend.batches.length).toBe(batches);
    worker.sender.wake();
    await clock.runUntil(isSettled);
    await run.stop();
    expect(done()).toEqual(ids);
    expect((await worker.outbox.view()).pause).toBeNull();
  });

  test('without anything to send, no pause outlives what caused it', async () => {
    const { worker, device, clock } = setup();
    device.isOnline = false;
    const run = await worker.start();
    await clock.runUntil(() => false, 1000);
    expect((await worker.outbox.view()).pause).toBe('offline');
    device.isOnline = true;
    worker.sender.wake();
    await clock.runUntil(() => false, 1000);
    expect((await worker.outbox.view()).pause).toBeNull();
    await run.stop();
  });
});

describe('order', () => {
  test('what the server failed at holds back its own entity, and nothing else', async () => {
    const { write, drain, done, backend } = setup();
    const [first = '', second = '', apart = ''] = await write(comment(4), comment(5), comment(6, other));
    let failures = 0;
    backend.judge = ({ commandId }) => {
      const isAffected = commandId === first || commandId === second;
      if (!isAffected || failures >= 4) return null;
      failures += 1;
      return { kind: 'failed', message: 'locked' };
    };
    await drain();
    expect(done()).toEqual([apart, first, second]);
  });

  test('what is written while an earlier command of its entity waits, waits too; the rest does not', async () => {
    const { write, worker, backend, clock, done, isSettled } = setup();
    const [first = ''] = await write(comment(4));
    let hasFailed = false;
    backend.judge = ({ commandId }) => {
      if (commandId !== first || hasFailed) return null;
      hasFailed = true;
      return { kind: 'failed', message: 'locked' };
    };
    const run = await worker.start();
    await clock.runUntil(() => hasFailed);
    const [second, apart] = await write(comment(5), comment(6, other));
    await clock.runUntil(isSettled);
    await run.stop();
    expect(done()).toEqual([apart, first, second]);
  });

  test('a failed command keeps its place before a later one of its entity that already has a number', async () => {
    const { write, drain, done, backend, device } = setup();
    const [first = '', second = ''] = await write(comment(4), comment(5));
    const here = device.open();
    const epoch = await here.outbox.claim();
    const { deviceId, items } = await here.outbox.number([1, 2], epoch);
    // Only the first had arrived when the server failed at it, and the worker died after it was told.
    const { commandId, name, version, args, basedOn, expiresAt } = items[0]!;
    const commands = [{ seq: 1, commandId, name, version, args, basedOn, expiresAt }];
    backend.judge = () => ({ kind: 'failed', message: 'locked' });
    await backend.fetch('', { body: JSON.stringify({ deviceId, commands }) });
    backend.judge = () => null;
    await here.outbox.settle([{ order: 1, state: { kind: 'kept' }, failed: true }], epoch);
    await drain();
    expect(done()).toEqual([first, second]);
    expect(backend.batches.at(-1)).toMatchObject({ seqs: [1, 2] });
    expect(backend.batches.at(-1)?.deviceId).not.toBe(deviceId);
  });

  test('a refusal blocks what was to be made in it, however deep, and nothing else', async () => {
    const { write, drain, done, backend, worker } = setup();
    const hypothesis: CommandRequest = {
      name: 'create_hypothesis',
      args: { id: guid(20), incidentId: incident, title: 'Disk' },
    };
    const evidence: CommandRequest = {
      name: 'add_evidence',
      args: { id: guid(21), incidentId: other, hypothesisId: guid(20), type: 'comment' },
    };
    const [refused = '', , , apart = ''] = await write(create, hypothesis, evidence, comment(6, guid(30)));
    backend.judge = ({ commandId, name }) => {
      if (commandId === refused) return { kind: 'refused', code: 'forbidden', message: 'no', current: null };
      return name === 'add_comment' ? null : { kind: 'refused', code: 'gone', message: '', current: null };
    };
    await drain();
    expect(kinds(await worker.outbox.items())).toEqual(['forbidden', 'blocked', 'blocked', 'accepted']);
    expect(done()).toEqual([apart]);
  });

  test('a refusal that makes nothing blocks nothing', async () => {
    const { write, drain, done, backend, worker } = setup();
    const edit: CommandRequest = { name: 'edit_incident', args: { id: incident, changes: { title: 'x' } } };
    const [, after = ''] = await write(edit, comment(4));
    backend.judge = ({ name }) =>
      name === 'edit_incident'
        ? { kind: 'refused', code: 'precondition_failed', message: 'changed', current: { title: 'y' } }
        : null;
    await drain();
    expect(done()).toEqual([after]);
    expect(kinds(await worker.outbox.items())).toEqual(['precondition_failed', 'accepted']);
  });
});

describe('never late', () => {
  test('a run that waited too long is refused here and never leaves', async () => {
    const { write, drain, backend, clock, worker } = setup();
    await write(runCheck);
    clock.later(3 * 60_000, () => {});
    await clock.runUntil(() => false);
    await drain();
    expect(backend.batches).toEqual([]);
    expect(kinds(await worker.outbox.items())).toEqual(['expired']);
  });

  test('a run whose answer was lost is asked for after its time, because it may have been done', async () => {
    const { write, worker, backend, clock, done, isSettled } = setup();
    const ids = await write(runCheck);
    backend.faults = ['lost', 'busy'];
    const run = await worker.start();
    await clock.runUntil(() => backend.effects.length > 0);
    backend.weather = 'broken';
    clock.later(3 * 60_000, () => {
      backend.weather = 'none';
    });
    await clock.runUntil(isSettled);
    await run.stop();
    expect(done()).toEqual(ids);
    expect(kinds(await worker.outbox.items())).toEqual(['accepted']);
  });
});

describe('numbers', () => {
  test('a server that forgot everything gets all of it again from number one', async () => {
    const { write, drain, done, backend, worker } = setup();
    await write(create);
    await drain();
    backend.forget();
    const [again = ''] = await write(comment(4));
    await drain();
    expect(done().at(-1)).toBe(again);
    expect(backend.batches.at(-1)?.seqs).toEqual([1]);
    expect(kinds(await worker.outbox.items())).toEqual(['accepted', 'accepted']);
  });

  test('a device that belongs to another person is given up; the commands go under a new one', async () => {
    const { write, drain, done, backend } = setup();
    const ids = await write(create, comment(4));
    const answer = backend.fetch;
    let isFirst = true;
    backend.fetch = (url, init) => {
      if (isFirst) {
        const batch = bodyOf(init) as { deviceId: string };
        backend.foreignDevices.add(batch.deviceId);
      }
      isFirst = false;
      return answer(url, init);
    };
    await drain();
    expect(done()).toEqual(ids);
    expect(new Set(backend.batches.map(({ deviceId }) => deviceId)).size).toBe(2);
  });

  test.each([400, 413, 422])(
    'one command that is answered with %i is refused; its neighbours arrive',
    async (status) => {
      const { write, drain, done, backend, worker } = setup();
      const [a = '', bad = '', b = ''] = await write(comment(4), comment(5, other), comment(6));
      backend.rejects = ({ commandId }) => (commandId === bad ? status : null);
      await drain();
      expect(done()).toEqual([a, b]);
      const items = await worker.outbox.items();
      expect(kinds(items)).toEqual(['accepted', 'invalid', 'accepted']);
      expect(items[1]?.state).toMatchObject({ message: 'cannot be read' });
      expect(backend.batches.length).toBeLessThan(8);
    },
  );
});

describe('one sender', () => {
  test('a former sender can neither number, nor settle, nor start anew, nor send', async () => {
    const { write, backend, device, clock, worker } = setup();
    await write(create);
    const old = await worker.start();
    await clock.runUntil(() => backend.effects.length > 0);
    const next = device.open();
    await next.outbox.claim();
    await write(comment(4));
    await clock.runUntil(() => false, 10 * 60_000);
    expect(backend.batches).toHaveLength(1);
    await old.stop();
    await expect(worker.outbox.number([2], old.epoch)).rejects.toThrow(FencedError);
    await expect(worker.outbox.settle([], old.epoch)).rejects.toThrow(FencedError);
    await expect(worker.outbox.newDevice(old.epoch)).rejects.toThrow(FencedError);
    await expect(worker.outbox.expire(old.epoch)).rejects.toThrow(FencedError);
    expect(kinds(await next.outbox.items())).toEqual(['accepted', 'kept']);
    expect(worker.errors).toEqual([]);
  });

  test('any tab may write: the sender notices by itself', async () => {
    const { device, worker, backend, clock } = setup();
    const run = await worker.start();
    await clock.runUntil(() => false, 1000);
    await device.open().outbox.append(create, device.context());
    await clock.runUntil(() => backend.effects.length > 0);
    await run.stop();
    expect(backend.effects).toHaveLength(1);
  });
});
