import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../platform.ts';
import { nodePlatform } from '../platform.ts';
import { isCronValid, nextRunMs } from './next-run.ts';
import { createScheduler } from './scheduler.ts';

/** A clock that runs as fast as the loop asks it to. */
function virtualPlatform(): Platform & { ms: number } {
  const platform = {
    ...nodePlatform,
    ms: Date.parse('2026-01-01T00:00:00Z'),
    now: () => platform.ms,
    random: () => 0.5,
    async sleep(delayMs: number) {
      platform.ms += delayMs;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  return platform;
}

const silent = pino({ level: 'silent' });

async function runFor(
  input: { concurrency?: number; durationMs: number; runTimeMs?: number; setBackMs?: number },
  add: (scheduler: ReturnType<typeof createScheduler>) => void,
) {
  const platform = virtualPlatform();
  const from = platform.ms;
  const starts: { id: string; at: number }[] = [];
  let running = 0;
  let mostRunning = 0;
  const stop = new AbortController();
  const scheduler = createScheduler({
    name: 'test',
    platform,
    logger: silent,
    concurrency: input.concurrency ?? 50,
    async runOne(id) {
      starts.push({ id, at: platform.ms - from });
      if (starts.length === 3) platform.ms -= input.setBackMs ?? 0;
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      const until = platform.ms + (input.runTimeMs ?? 0);
      while (platform.ms < until && !stop.signal.aborted)
        await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (id === 'broken') throw new Error('no');
    },
  });
  add(scheduler);
  const loop = scheduler.run(stop.signal);
  while (platform.ms - from < input.durationMs) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await loop;
  return { starts, mostRunning };
}

describe('the scheduler', () => {
  it('keeps the rhythm of an interval for an hour without drifting', async () => {
    const { starts } = await runFor({ durationMs: 3_600_000 }, (s) =>
      s.set('a', { kind: 'every', everyMs: 30_000 }),
    );
    expect(starts.length).toBeGreaterThanOrEqual(119);
    expect(starts.length).toBeLessThanOrEqual(121);
    expect((starts.at(-1)?.at ?? 0) - (starts[0]?.at ?? 0)).toBeCloseTo((starts.length - 1) * 30_000, -3);
  });

  it('a canary that takes longer than its interval never runs twice at once and does not pile up', async () => {
    const { starts, mostRunning } = await runFor({ durationMs: 60_000, runTimeMs: 5000 }, (s) =>
      s.set('slow', { kind: 'every', everyMs: 1000 }),
    );
    expect(mostRunning).toBe(1);
    expect(starts.length).toBeLessThanOrEqual(13);
    expect(starts.length).toBeGreaterThanOrEqual(10);
  });

  it('runs no more at once than allowed, and everybody gets a turn', async () => {
    const { starts, mostRunning } = await runFor(
      { durationMs: 60_000, runTimeMs: 500, concurrency: 5 },
      (s) => {
        for (let index = 0; index < 40; index++) s.set(`c${index}`, { kind: 'every', everyMs: 10_000 });
      },
    );
    expect(mostRunning).toBe(5);
    expect(new Set(starts.map(({ id }) => id)).size).toBe(40);
  });

  it('first runs of many canaries are spread', async () => {
    const { starts } = await runFor({ durationMs: 25_000 }, (s) => {
      for (let index = 0; index < 1000; index++) s.set(`c${index}`, { kind: 'every', everyMs: 60_000 });
    });
    const inFirstSecond = starts.filter(({ at }) => at <= 1000).length;
    expect(inFirstSecond).toBeLessThan(200);
    expect(starts.length).toBe(1000);
  });

  it('what is due goes on where the clock is set back', async () => {
    const { starts } = await runFor({ durationMs: 60_000, setBackMs: 600_000 }, (s) => {
      s.set('often', { kind: 'every', everyMs: 30_000 });
      s.set('cron', { kind: 'cron', expression: '* * * * *' });
    });
    // Ten minutes come a second time.
    expect(starts.filter(({ id }) => id === 'often').length).toBeGreaterThan(18);
    expect(starts.filter(({ id }) => id === 'cron').length).toBeGreaterThan(8);
  });

  it('one that throws goes on being run', async () => {
    const { starts } = await runFor({ durationMs: 10_000 }, (s) =>
      s.set('broken', { kind: 'every', everyMs: 2000 }),
    );
    expect(starts.length).toBeGreaterThanOrEqual(4);
  });

  it('waits for what is due next, also for what comes while nothing is', async () => {
    const pauses: number[] = [];
    const platform: Platform = {
      ...virtualPlatform(),
      sleep: (delayMs, signal) => {
        pauses.push(delayMs);
        return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
      },
    };
    const stop = new AbortController();
    const scheduler = createScheduler({
      name: 'test',
      platform,
      logger: silent,
      concurrency: 5,
      runOne: () => Promise.resolve(),
    });
    for (let index = 0; index < 10; index++) scheduler.set(`never${index}`, { kind: 'never' });
    const loop = scheduler.run(stop.signal);
    await new Promise((resolve) => setImmediate(resolve));
    expect(pauses).toEqual([1000]);
    // In the middle of eleven tenths of a second.
    scheduler.set('new', { kind: 'every', everyMs: 60_000 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(pauses).toEqual([1000, 550]);
    stop.abort();
    await loop;
  });

  it('never means never, and what is removed stops', async () => {
    const { starts } = await runFor({ durationMs: 10_000 }, (s) => {
      s.set('never', { kind: 'never' });
      s.set('gone', { kind: 'every', everyMs: 1000 });
      s.remove('gone');
    });
    expect(starts).toEqual([]);
  });

  it('the same schedule again does not run a canary anew', async () => {
    const { starts } = await runFor({ durationMs: 5000 }, (s) => {
      s.set('a', { kind: 'every', everyMs: 60_000 });
      for (let index = 0; index < 10; index++) s.set('a', { kind: 'every', everyMs: 60_000 });
    });
    expect(starts.length).toBe(1);
  });
});

describe('cron lines', () => {
  it('come round at the next full match', () => {
    const at = Date.parse('2026-01-01T00:00:30Z');
    expect(nextRunMs({ kind: 'cron', expression: '*/5 * * * *' }, at)).toBe(
      Date.parse('2026-01-01T00:05:00Z'),
    );
  });

  it('that cannot be read are not valid', () => {
    expect(isCronValid('*/5 * * * *')).toBe(true);
    for (const text of ['8 46 *', 'every 30 @minutes', '61 * * * *', ''])
      expect(isCronValid(text)).toBe(false);
  });
});
