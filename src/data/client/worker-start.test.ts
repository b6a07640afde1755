/** Workers take no processor from the first rows, and nothing makes them wait for long. */
import { describe, expect, test } from 'vitest';
import type { DataPlatform } from './platform.ts';
import { whenPainted } from './worker-start.ts';
import type { FirstWindows } from './windows/first-windows.ts';

/** Whether the workers have started after each of what happens. */
async function startedAfter(...happenings: ('read cached' | 'read nothing' | 'paint' | 'limit')[]) {
  let read: (isCached: boolean) => void = () => {};
  let paint = () => {};
  let limit = () => {};
  const platform = {
    afterPaint: (run: () => void) => void (paint = run),
    later: (_: number, run: () => void) => void (limit = run),
  } as unknown as DataPlatform;
  const windows = { onFirstRead: (tell: typeof read) => void (read = tell) } as unknown as FirstWindows;
  let isStarted = false;
  void whenPainted(platform, windows).then(() => (isStarted = true));
  const happen = {
    'read cached': () => read(true),
    'read nothing': () => read(false),
    paint: () => paint(),
    limit: () => limit(),
  };
  const started: boolean[] = [];
  for (const happening of happenings) {
    happen[happening]();
    await Promise.resolve();
    started.push(isStarted);
  }
  return started;
}

describe('workers of a device that has rows', () => {
  test('start when the cached rows are painted', async () => {
    expect(await startedAfter('read cached', 'paint')).toEqual([false, true]);
  });

  test('start at once where nothing is cached', async () => {
    expect(await startedAfter('read nothing')).toEqual([true]);
  });

  test('start in the end where nothing asks and where nothing is painted', async () => {
    expect(await startedAfter('limit')).toEqual([true]);
    expect(await startedAfter('read cached', 'limit')).toEqual([false, true]);
  });
});
