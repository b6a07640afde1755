import { describe, expect, it } from 'vitest';
import { BatchedLookup } from './batched-lookup.ts';

function counting() {
  const asked: (readonly string[])[] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const lookup = new BatchedLookup<string>((keys) => {
    asked.push(keys);
    return new Promise((resolve, reject) => {
      const found = new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, `${key}!`]));
      ends.push({ resolve: () => resolve(found), reject });
    });
  });
  const end = (at: number) => {
    ends[at]?.resolve();
    return new Promise((resolve) => setTimeout(resolve));
  };
  return { asked, ends, end, find: (key: string) => lookup.find(key) };
}

describe('lookups that are batched', () => {
  it('are one statement for all who ask meanwhile, begun after they had asked', async () => {
    const { asked, end, find } = counting();
    const answers = ['a', 'b', 'c', 'd', 'e', 'd', 'unknown'].map((key) => find(key));
    expect(asked).toEqual([['a'], ['b'], ['c']]);
    await end(0);
    expect(asked.at(-1)).toEqual(['d', 'e', 'unknown']);
    const late = find('d');
    await end(3);
    expect(asked.at(-1)).toEqual(['d']);
    for (const at of [1, 2, 4]) await end(at);
    expect(await Promise.all([...answers, late])).toEqual(['a!', 'b!', 'c!', 'd!', 'e!', 'd!', null, 'd!']);
  });

  it('that fail are told to those whose question it was; the next is made', async () => {
    const { ends, end, find } = counting();
    const first = find('a');
    ends[0]?.reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    const second = find('a');
    await end(1);
    expect(await second).toBe('a!');
  });
});
