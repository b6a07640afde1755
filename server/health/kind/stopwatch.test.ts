import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/platform.ts';
import { kindSetting } from '../testing/kind-setting.ts';
import { startStopwatch } from './stopwatch.ts';
import type { Stopwatch } from './stopwatch.ts';
import { runKind } from '../testing/run-kind.ts';

const BLOCK_MS = 1500;

/** Keeps the process busy, as a large answer or a long script does. */
function block(durationMs: number): void {
  const untilMs = Date.now() + durationMs;
  while (Date.now() < untilMs);
}

describe('a stopwatch', () => {
  let watch: Stopwatch | null = null;
  afterEach(() => watch?.stop());

  test('counts what it waited for, not what this process did meanwhile', async () => {
    watch = startStopwatch(nodePlatform);
    const startedMs = Date.now();
    await nodePlatform.sleep(50);
    block(BLOCK_MS);
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(BLOCK_MS);
    expect(watch.elapsedMs()).toBeLessThan(BLOCK_MS);
  });

  test('never counts more than has passed', async () => {
    watch = startStopwatch(nodePlatform);
    const startedMs = Date.now();
    await nodePlatform.sleep(80);
    expect(watch.elapsedMs()).toBeLessThanOrEqual(Date.now() - startedMs);
  });

  test('a limit that passes while the process is busy lets what has arrived by then come first', async () => {
    watch = startStopwatch(nodePlatform);
    const signal = watch.limit(100);
    block(BLOCK_MS);
    expect(signal.aborted).toBe(false);
    await nodePlatform.sleep(200);
    expect(signal.aborted).toBe(true);
  });
});

test('a service that answers at once is not slow because this server was busy', async () => {
  const server = createServer((socket) => socket.on('error', () => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const resolve = () => {
    // Runs when the connection was begun: the system accepts it while this process is busy.
    setImmediate(() => block(BLOCK_MS));
    return Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]);
  };
  const spec = { endpoint: `service.example:${port}`, thresholdMillis: 700 };
  try {
    const result = await runKind('tcp', spec, kindSetting({ resolve }));
    expect(result).toMatchObject({ pass: true, error: null });
    expect(result.durationMs).toBeLessThan(700);
  } finally {
    server.close();
  }
});
