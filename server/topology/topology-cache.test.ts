/** What is kept of the topology's answers, and when it is not taken. */
import { expect, test } from 'vitest';
import { createTopologyCache } from './topology-cache.ts';

function setUp() {
  let nowMs = 0;
  let made = 0;
  const cache = createTopologyCache({ now: () => nowMs });
  const ask = (question: string, mark: string, { isFresh = false, text = 'answer' } = {}) =>
    cache.answer({ question, mark, isFresh }, () => {
      made += 1;
      return text === 'fails' ? Promise.reject(new Error(text)) : Promise.resolve(`${text} ${made}`);
    });
  return { ask, made: () => made, pass: (ms: number) => (nowMs += ms) };
}

test('the same question is answered once, until the data changes or five minutes have passed', async () => {
  const { ask, made, pass } = setUp();
  expect(await Promise.all([ask('a', '1'), ask('a', '1')])).toEqual(['answer 1', 'answer 1']);
  expect(await ask('b', '1')).toBe('answer 2');
  pass(4 * 60_000);
  expect(await ask('a', '1')).toBe('answer 1');
  expect(await ask('a', '2')).toBe('answer 3');
  pass(5 * 60_000);
  expect(await ask('a', '2')).toBe('answer 4');
  expect(made()).toBe(4);
});

test('who wants nothing that was kept gets it anew, and the next one gets that', async () => {
  const { ask } = setUp();
  await ask('a', '1');
  expect(await ask('a', '1', { isFresh: true })).toBe('answer 2');
  expect(await ask('a', '1')).toBe('answer 2');
});

test('who waits for an answer that fails gets one of its own', async () => {
  const { ask } = setUp();
  const first = ask('a', '1', { text: 'fails' });
  const second = ask('a', '1');
  await expect(first).rejects.toThrow('fails');
  expect(await second).toBe('answer 2');
});

test('a failure is not kept, and large answers go first come first', async () => {
  const { ask } = setUp();
  await expect(ask('a', '1', { text: 'fails' })).rejects.toThrow('fails');
  const text = 'x'.repeat(5_000_000);
  await ask('a', '1', { text });
  await ask('b', '1', { text });
  expect((await ask('b', '1')).endsWith(' 3')).toBe(true);
  expect(await ask('a', '1')).toBe('answer 4');
});
