/** What the server said is shown, whatever becomes of the copy on this device. */
import { expect, test } from 'vitest';
import { z } from 'zod/mini';
import { cachedSource } from './cached-source.ts';

/** `put` is the device's; time passes when `pass` is called. */
function sourceOver(put: () => Promise<void>) {
  const reported: unknown[] = [];
  let pass = () => {};
  const source = cachedSource(
    {
      documents: { get: async () => null, put },
      serverNow: () => 7,
      later: (_delayMs, callback) => {
        pass = callback;
        return () => {};
      },
      report: (error) => void reported.push(error),
    },
    { cacheKey: 'run', result: z.string(), fetch: async () => 'completed' },
  );
  return { reported, pass: () => pass(), ask: () => source.fromServer(new AbortController().signal) };
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

test('an answer waits for its copy, but not for a store that hangs', async () => {
  const { ask, pass } = sourceOver(() => new Promise(() => {}));
  let shown: unknown = null;
  void ask().then(({ value }) => (shown = value));
  await turns();
  expect(shown).toBeNull();
  pass();
  await turns();
  expect(shown).toBe('completed');
});

test('a store that is full is told of, and the answer is shown', async () => {
  const full = new Error('quota');
  const { ask, reported } = sourceOver(() => Promise.reject(full));
  expect(await ask()).toMatchObject({ value: 'completed', source: 'server' });
  expect(reported).toEqual([full]);
});
