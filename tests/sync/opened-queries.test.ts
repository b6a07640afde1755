/**
 * What a page opened in a worker and closed again is gone there: the ports between them are closed, and the worker holds
 * nothing of it. A screen that turns its boards for weeks lives on that.
 */
import 'fake-indexeddb/auto';
import { expose } from 'comlink';
import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LIVE_QUERIES } from '../../src/contract/queries/live-queries.ts';
import type { LiveQueryName } from '../../src/contract/queries/queries.ts';
import { callback, openWorkers } from '../../src/data/client/workers-proxy.ts';
import { LIVE_HANDLERS } from '../backends/live-query-handlers.ts';
import { LIVE_SAMPLES } from '../backends/live-query-samples.ts';
import { createComputeService } from '../../workers/compute/compute-service.ts';
import { openAcross } from '../../workers/opened.ts';

/** No browser promises when it collects garbage: nothing may be left to that. */
vi.hoisted(() => {
  globalThis.FinalizationRegistry = class {
    register() {}
    unregister() {
      return false;
    }
  } as unknown as FinalizationRegistryConstructor;
});

const NAMES = Object.keys(LIVE_QUERIES) as LiveQueryName[];
const TIMES = 5;
const LATER_MS = 50;
const SOON = { timeout: 20_000 };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Ports that stayed on the side that made them, until they are closed. */
const openPorts = new Set<MessagePort>();
const RealChannel = globalThis.MessageChannel;

beforeEach(() => {
  openPorts.clear();
  class CountedChannel extends RealChannel {
    constructor() {
      super();
      openPorts.add(this.port1);
      this.port1.addEventListener('close', () => openPorts.delete(this.port1));
    }
  }
  vi.stubGlobal('MessageChannel', CountedChannel);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page and a compute worker with a port between them, as in a browser. */
function startWorker() {
  const { port1: page, port2: worker } = new RealChannel();
  const service = createComputeService(
    {
      now: () => Date.now(),
      newId: () => randomUUID(),
      // What waits for its next turn ends by then: nobody's clock is needed.
      later: (delayMs, run) => void setTimeout(run, Math.min(delayMs, LATER_MS)),
      every: () => {},
      idb: indexedDB,
      listen: () => () => {},
      announce: () => {},
      report: () => {},
    },
    LIVE_HANDLERS,
  );
  /** What the worker was given to call, as long as anything there holds it. */
  const told: WeakRef<object>[] = [];
  const api: Parameters<typeof expose>[0] = {
    ask: (name: LiveQueryName, args: never, listener: (message: unknown) => void) =>
      openAcross(listener, (tell) => {
        told.push(new WeakRef(tell));
        return service.ask(name, args, tell);
      }),
  };
  expose(api, worker);
  const platform = {
    startWorker: () => ({ port: page, onNotLoaded: () => {} }),
    later: () => {},
    report: () => {},
  };
  const stop = () => {
    page.close();
    worker.close();
  };
  return { compute: openWorkers(platform, { start: null, onNotLoaded: () => {} }).compute, told, stop };
}

test.each(NAMES)('%s, opened and closed, leaves nothing in its worker', async (name) => {
  const { compute, told, stop } = startWorker();
  const { args } = LIVE_SAMPLES[name];
  for (let time = 0; time < TIMES; time += 1) {
    let heard = 0;
    const opened = await compute.ask(name, args as never, callback(() => void (heard += 1)) as never);
    await opened.close();
    // A second time is nothing new.
    await opened.close();
    expect(heard).toBeLessThan(10);
  }
  expect(told).toHaveLength(TIMES);
  await expect.poll(() => openPorts.size, SOON).toBe(0);
  await expect
    .poll(() => {
      collectGarbage();
      return told.filter((one) => one.deref() !== undefined).length;
    }, SOON)
    .toBe(0);
  stop();
});

test('while it is open it hears, and its worker holds it', async () => {
  const { compute, told, stop } = startWorker();
  const heard: unknown[] = [];
  const listener = callback((message: unknown) => void heard.push(message));
  const opened = await compute.ask('live-check', LIVE_SAMPLES['live-check'].args, listener as never);
  collectGarbage();
  expect(openPorts.size).toBe(2);
  expect(told[0]?.deref()).toBeDefined();
  await opened.close();
  await expect.poll(() => openPorts.size, SOON).toBe(0);
  stop();
});

test('what is refused leaves nothing either', async () => {
  const { compute, told, stop } = startWorker();
  const asked = compute.ask('live-check', { checkId: 1 } as never, callback(() => {}) as never);
  await expect(asked).rejects.toThrow('checkId');
  expect(told).toHaveLength(1);
  await expect.poll(() => openPorts.size, SOON).toBe(0);
  stop();
});
