import { expect, test } from 'vitest';
import { LoadTurns } from './load-turns.ts';

const pause = () => Promise.resolve();

/** A reading that ends when the test says so. */
function reading() {
  let end = () => {};
  let fail = (_error: Error) => {};
  const done = new Promise<void>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  return { done, end: () => end(), fail: (error: Error) => fail(error) };
}

test('records wait for rows that are being read, also between their own steps, and go on after a failure', async () => {
  const turns = new LoadTurns();
  const told: string[] = [];
  const [first, second] = [reading(), reading()];
  const rows = turns.take('incidents', { read: () => first.done, pause });
  const records = turns.take('incident_records', {
    read: async (rest) => {
      told.push('begins');
      const more = turns.take('resources', { read: () => second.done, pause });
      const stopped = expect(more).rejects.toThrow('broken');
      await rest();
      told.push('goes on');
      await stopped;
    },
    pause,
  });
  await pause();
  expect(told).toEqual([]);
  first.end();
  await rows;
  await expect.poll(() => told).toEqual(['begins']);
  second.fail(new Error('broken'));
  await records;
  expect(told).toEqual(['begins', 'goes on']);
});

test('what nobody waits for is read at once', async () => {
  const turns = new LoadTurns();
  expect(await turns.take('incident_records', { read: async () => 'read', pause })).toBe('read');
});
