import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { yamlValues } from './yaml-values.ts';

/** Two documents and an empty one, about as long as that. */
const textOf = (length: number) => {
  const item = '- { name: front, count: 3 }\n';
  return `first: true\n---\n---\n${item.repeat(Math.ceil(length / item.length))}`;
};
const LONG = 1_000_000;
const { signal } = new AbortController();

test('a text is the same values whatever its length', async () => {
  for (const length of [100, 60_000, 70_000]) {
    const [first, second] = await yamlValues(textOf(length), signal);
    expect(first).toEqual({ first: true });
    expect(second).toHaveLength(Math.ceil(length / 28));
    expect(second).toContainEqual({ name: 'front', count: 3 });
  }
});

test('a long text leaves the thread that asks free', async () => {
  let isRead = false;
  const reading = yamlValues(textOf(LONG), signal).finally(() => (isRead = true));
  let turns = 0;
  while (!isRead) {
    await setImmediate();
    turns += 1;
  }
  await reading;
  expect(turns).toBeGreaterThan(100);
});

test('what is wrong with a long text is said with its line', async () => {
  await expect(yamlValues(`${textOf(LONG)}  - }{`, signal)).rejects.toThrow(/ at line \d+, column \d+/);
});

test('a long text is given up with the work that it is for, and the next one has its turn', async () => {
  const ending = new AbortController();
  const given = Promise.allSettled([0, 1].map(() => yamlValues(textOf(LONG), ending.signal)));
  const next = yamlValues(textOf(70_000), signal);
  ending.abort();
  expect((await given).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await next).toHaveLength(2);
});
