import { expose } from 'comlink';
import { afterEach, expect, test } from 'vitest';
import type { SyncStatus } from '../../contract/worker.ts';
import type { WorkerName } from './platform.ts';
import { sessionWithout, statusWithout } from './without-workers.ts';
import { FIRST_STATUS } from './first-status.ts';
import { callback, openWorkers } from './workers-proxy.ts';

const ports: MessagePort[] = [];
afterEach(() => ports.splice(0).forEach((port) => port.close()));

function openChannel() {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  return { page: port1, worker: port2 };
}

/** Workers whose file comes only when a test says so; what they heard of, in order. */
function slowWorkers() {
  const heard: string[] = [];
  const fail: (() => void)[] = [];
  const waits: { delayMs: number; run: () => void }[] = [];
  const starts: WorkerName[] = [];
  let isThere = false;
  const answers = {
    act: (name: string) => {
      heard.push(name);
      return { ok: true, value: name };
    },
    ask: (name: string, _args: unknown, listener: (message: unknown) => void) => {
      heard.push(`ask ${name}`);
      listener(`${name} is told`);
      return callback({ close: () => {} });
    },
  };
  return {
    heard,
    starts,
    waits,
    come: () => void (isThere = true),
    failAll: () => fail.splice(0).forEach((run) => run()),
    runWaits: () => waits.splice(0).forEach(({ run }) => run()),
    platform: {
      report: () => {},
      later: (delayMs: number, run: () => void) => void waits.push({ delayMs, run }),
      startWorker: (name: WorkerName) => {
        starts.push(name);
        const { page, worker } = openChannel();
        if (isThere) expose(answers, worker);
        return { port: page, onNotLoaded: (listener: () => void) => void fail.push(listener) };
      },
    },
  };
}

test('the workers start also where what goes before them fails, which is told', async () => {
  const reports: unknown[] = [];
  const { platform, starts } = slowWorkers();
  const broken = new Error('of another build');
  openWorkers(
    { ...platform, report: (error) => void reports.push(error) },
    { start: Promise.reject(broken), onNotLoaded: () => {} },
  );
  await expect.poll(() => starts).toEqual(['compute', 'sync']);
  expect(reports).toEqual([broken]);
});

test.each([1, 2, 7])(
  'what is asked of workers that come at start %i is heard once, in order',
  async (start) => {
    const slow = slowWorkers();
    if (start === 1) slow.come();
    let told = 0;
    const { sync } = openWorkers(slow.platform, { start: null, onNotLoaded: () => void (told += 1) });
    const messages: unknown[] = [];
    const listener = callback((message: unknown) => void messages.push(message));
    const asked = Promise.all([
      sync.act('refresh', {}),
      sync.ask('catch-up', {}, listener as never),
      sync.act('check-session', {}),
    ]);
    for (let failed = 1; failed < start; failed += 1) {
      slow.failAll();
      if (failed === start - 1) slow.come();
      slow.runWaits();
    }
    await asked;
    expect(slow.heard).toEqual(['refresh', 'ask catch-up', 'check-session']);
    await expect.poll(() => messages).toEqual(['catch-up is told']);
    // Both workers, each time.
    expect(told).toBe(2 * (start - 1));
    expect(slow.starts).toHaveLength(2 * start);
  },
);

test('each wait is twice as long as the one before, 30 seconds at most; a retry cuts it short', () => {
  const slow = slowWorkers();
  const workers = openWorkers(slow.platform, { start: null, onNotLoaded: () => {} });
  const waited: number[] = [];
  for (let failed = 0; failed < 7; failed += 1) {
    slow.failAll();
    waited.push(slow.waits[0]?.delayMs ?? 0);
    if (failed === 3) {
      workers.retry();
      workers.retry();
      expect(slow.starts).toHaveLength(2 * 5);
    }
    slow.runWaits();
    // A wait that was cut short starts nothing more.
    expect(slow.starts).toHaveLength(2 * (failed + 2));
  }
  expect(waited).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('a worker that has answered is not started again, whatever it is said to have failed at', async () => {
  const slow = slowWorkers();
  slow.come();
  const { sync } = openWorkers(slow.platform, { start: null, onNotLoaded: () => {} });
  await sync.act('refresh', {});
  slow.failAll();
  slow.runWaits();
  await sync.act('refresh', {});
  expect(slow.starts.filter((name) => name === 'sync')).toHaveLength(1);
});

test('a refusal is an answer', async () => {
  const { page, worker } = openChannel();
  const refuse = () => {
    throw new Error('no');
  };
  expose({ act: refuse }, worker);
  const platform = {
    report: () => {},
    later: () => {},
    startWorker: () => ({ port: page, onNotLoaded: () => {} }),
  };
  const { sync } = openWorkers(platform, { start: null, onNotLoaded: () => {} });
  await expect(sync.act('refresh', {})).rejects.toThrow('no');
});

test('without workers the page says why, and takes nothing back that is known', () => {
  const words = (isOnline: boolean) => sessionWithout({ kind: 'unknown' }, isOnline);
  expect(words(true)).toMatchObject({
    kind: 'failed',
    error: { message: 'Network Error. Please try again.' },
  });
  expect(words(false)).toMatchObject({
    error: { message: 'No internet connection. Please try again.' },
  });
  const signedOut = { kind: 'signed-out' } as const;
  expect(sessionWithout(signedOut, true)).toBe(signedOut);
  expect(statusWithout(FIRST_STATUS, true, 5)).toMatchObject({
    connection: 'server-unreachable',
    downSinceMs: 5,
  });
  expect(statusWithout(FIRST_STATUS, false, 5)).toMatchObject({ connection: 'offline', downSinceMs: 5 });
  const live: SyncStatus = { ...FIRST_STATUS, connection: 'live' };
  expect(statusWithout(live, true, 5)).toBe(live);
});
