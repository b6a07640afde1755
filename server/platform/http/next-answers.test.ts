import { describe, expect, it } from 'vitest';
import { NextAnswers } from './next-answers.ts';

function counting() {
  const answers = new NextAnswers<number>();
  const ends: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const ask = (key: string) =>
    answers.share(key, () => new Promise((resolve, reject) => ends.push({ resolve, reject })));
  const end = (at: number) => {
    ends[at]?.resolve(at);
    return new Promise((resolve) => setTimeout(resolve));
  };
  return { ask, ends, end };
}

describe('answers that are shared', () => {
  it('were begun after everyone who gets them had asked, one at a time', async () => {
    const { ask, ends, end } = counting();
    const first = ask('a');
    const others = [ask('a'), ask('a')];
    expect(ends).toHaveLength(1);
    await end(0);
    const late = ask('a');
    expect(ends).toHaveLength(2);
    await end(1);
    await end(2);
    expect(await Promise.all([first, ...others, late])).toEqual([0, 1, 1, 2]);
  });

  it('are of one question only, and the next who asks begins anew', async () => {
    const { ask, ends, end } = counting();
    const both = [ask('a'), ask('b')];
    expect(ends).toHaveLength(2);
    await end(0);
    await end(1);
    expect(await Promise.all(both)).toEqual([0, 1]);
    void ask('a');
    expect(ends).toHaveLength(3);
  });

  it('that fail are told to those who waited for them; the next is made', async () => {
    const { ask, ends, end } = counting();
    const first = ask('a');
    const second = ask('a');
    ends[0]?.reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await end(1);
    expect(await second).toBe(1);
  });
});
