import { afterAll, expect, test } from 'vitest';
import { createExpressions } from './expression-thread.ts';

const expressions = createExpressions(700);
afterAll(() => expressions.close());
const scope = { variables: {}, durationNames: [], lastResult: null };

test('a script that never ends fails alone: those behind it still get their answers', async () => {
  const regexp = `"${'a'.repeat(40)}b".matches("^(a+)+$")`;
  const results = await Promise.allSettled([
    expressions.evaluate({ expr: '1 + 1' }, scope),
    expressions.evaluate({ expr: regexp }, scope),
    expressions.evaluate({ expr: '2 + 2' }, scope),
  ]);
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value.text : String(result.reason))),
  ).toEqual(['2', 'Error: the script ran longer than 700 ms', '4']);
});

test('the event loop turns while a script runs', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 5);
  await expressions
    .evaluate({ expr: `"${'a'.repeat(40)}b".matches("^(a+)+$")` }, scope)
    .catch(() => undefined);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});

test('a script error is a rejection with its reason', async () => {
  await expect(expressions.evaluate({ expr: 'nosuch' }, scope)).rejects.toThrow('Unknown variable: nosuch');
});
