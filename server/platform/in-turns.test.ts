import { expect, test } from 'vitest';
import { inTurns } from './in-turns.ts';
import { elapsedMs } from './platform.ts';

function workFor(durationMs: number): void {
  const startedMs = elapsedMs();
  while (elapsedMs() - startedMs < durationMs);
}

test('all come, in their order', async () => {
  const came: number[] = [];
  for await (const item of inTurns([3, 1, 2])) came.push(item);
  expect(came).toEqual([3, 1, 2]);
});

test('what else waits is done between two steps of long work', async () => {
  let doneAfter: number | null = null;
  let steps = 0;
  setImmediate(() => (doneAfter = steps));
  for await (const stepMs of inTurns(Array.from({ length: 12 }, () => 4))) {
    workFor(stepMs);
    steps += 1;
  }
  expect(doneAfter).toBeGreaterThan(0);
  expect(doneAfter).toBeLessThan(steps);
});
