import { expect, test } from 'vitest';
import { runOneByOne, undoSteps, type DirectStep } from './one-by-one.ts';

const RUN = { isStopped: () => false, onResults: () => {} };

test('each is done in its turn, a refusal stops none of the others, and what was done can be made as it was', async () => {
  const done: string[] = [];
  const step = (name: string, reason: string | null = null): DirectStep => ({
    name,
    act: async () => (done.push(name), reason),
    undo: async () => (done.push(`not ${name}`), null),
  });
  const steps = [step('a'), step('b', 'not yours'), { ...step('c'), undo: null }, step('d')];
  const results = await runOneByOne(steps, RUN);
  expect(results.map(({ name, state, reason }) => [name, state, reason])).toEqual([
    ['a', 'done', null],
    ['b', 'refused', 'not yours'],
    ['c', 'done', null],
    ['d', 'done', null],
  ]);
  await runOneByOne(undoSteps(steps, results), RUN);
  expect(done).toEqual(['a', 'b', 'c', 'd', 'not d', 'not a']);
});

test('after Stop nothing more is done, and each says so', async () => {
  let count = 0;
  const steps = Array.from({ length: 5 }, (_, at): DirectStep => ({
    name: `${at}`,
    act: async () => ((count += 1), null),
    undo: null,
  }));
  const seen: number[] = [];
  const results = await runOneByOne(steps, {
    isStopped: () => count === 2,
    onResults: (all) => seen.push(all.filter(({ state }) => state === 'done').length),
  });
  expect(results.map(({ state }) => state)).toEqual([
    'done',
    'done',
    'taken-back',
    'taken-back',
    'taken-back',
  ]);
  expect(seen.slice(0, 2)).toEqual([1, 2]);
});
