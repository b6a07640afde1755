import { describe, expect, it } from 'vitest';
import { afterCall, oneTooMany, type Programs } from './programs.ts';

const S = 1000;
const NONE: Programs = { first: null, second: null };

/** Calls of programs at seconds; answers who stood back. */
function play(calls: readonly (readonly [id: string, second: number])[]) {
  let known = NONE;
  const backs: string[] = [];
  for (const [id, second] of calls) {
    const { standsBack, ...next } = afterCall(known, { id, host: `host-${id}` }, second * S);
    known = next;
    if (standsBack) backs.push(`${id}@${second}`);
  }
  return { known, backs };
}

describe('programs with one token', () => {
  it('one alone goes on', () => {
    expect(
      play([
        ['a', 0],
        ['a', 20],
        ['a', 200],
      ]),
    ).toMatchObject({
      known: { first: { id: 'a', sinceMs: 0, seenMs: 200 * S }, second: null },
      backs: [],
    });
  });

  it('one that is started anew is never held up, and takes the place once the other was silent', () => {
    const { known, backs } = play([
      ['a', 0],
      ['b', 5],
      ['b', 25],
      ['b', 45],
      ['b', 65],
    ]);
    expect(backs).toEqual([]);
    expect(known).toMatchObject({ first: { id: 'b', sinceMs: 5 * S }, second: null });
  });

  it('of two that go on calling the second stands back, and both are known', () => {
    const { known, backs } = play([
      ['a', 0],
      ['b', 5],
      ['a', 20],
      ['b', 25],
      ['a', 40],
      ['b', 45],
    ]);
    expect(backs).toEqual(['b@25', 'b@45']);
    expect(oneTooMany(known, 46 * S)).toMatchObject({ id: 'b', host: 'host-b', sinceMs: 5 * S });
    expect(oneTooMany(known, 200 * S)).toBeNull();
  });

  it('the second takes over when the first is gone, and stays when that comes back', () => {
    const before = [
      ['a', 0],
      ['b', 5],
      ['a', 20],
      ['b', 25],
      ['b', 60],
    ] as const;
    expect(play([...before, ['b', 85]])).toMatchObject({
      known: { first: { id: 'b' } },
      backs: ['b@25', 'b@60'],
    });
    const { known, backs } = play([...before, ['b', 85], ['a', 90], ['b', 105], ['a', 110]]);
    expect(backs).toEqual(['b@25', 'b@60', 'a@110']);
    expect(known.first?.id).toBe('b');
  });

  it('a third one stands back beside two, and takes no place of theirs', () => {
    const { known, backs } = play([
      ['a', 0],
      ['b', 5],
      ['a', 20],
      ['c', 22],
      ['b', 25],
    ]);
    expect(backs).toEqual(['c@22', 'b@25']);
    expect([known.first?.id, known.second?.id]).toEqual(['a', 'b']);
  });
});
