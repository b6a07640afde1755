import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmptyList, matchesList, parseMatchList } from './match-list.ts';

const matches = (list: string, value: string | null) => matchesList(parseMatchList(list), value);

describe('a match list', () => {
  it.each([
    ['a,b', 'a', true],
    ['a,b', 'c', false],
    ['!a', 'b', true],
    ['!a', 'a', false],
    ['a,!a', 'a', false],
    ['pre*', 'prefix', true],
    ['pre*', 'a prefix', false],
    ['*fix', 'prefix', true],
    ['*fix', 'fixed', false],
    ['*efi*', 'prefix', true],
    ['*', 'anything', true],
    ['!*', 'anything', false],
    ['a*,!ab*', 'abc', false],
    ['a*,!ab*', 'acc', true],
    [' a , b ', 'b', true],
    [',,!,', 'x', true],
    ['', 'x', true],
  ])('%j answers for %j: %s', (list, value, expected) => {
    expect(matches(list, value)).toBe(expected);
  });

  it('takes a missing value for the empty text', () => {
    expect(matches('a', null)).toBe(false);
    expect(matches('!a', null)).toBe(true);
  });

  it('says nothing when it has no entries', () => {
    expect(isEmptyList(parseMatchList(' ,!, '))).toBe(true);
    expect(isEmptyList(parseMatchList('!a'))).toBe(false);
  });

  it('decodes each entry by itself, so that an encoded comma does not split it', () => {
    expect(matchesList(parseMatchList('a%2Cb,!c', decodeURIComponent), 'a,b')).toBe(true);
  });

  it('lets an exclusion win over every inclusion', () => {
    const word = fc.stringMatching(/^[a-c]{1,4}$/);
    fc.assert(
      fc.property(fc.array(word), word, (wanted, refused) => {
        expect(matches([...wanted, `!${refused}`, `${refused}`].join(','), refused)).toBe(false);
      }),
    );
  });

  it('of only exclusions lets everything else through', () => {
    const word = fc.stringMatching(/^[a-c]{1,4}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), word, (refused, value) => {
        const list = refused.map((item) => `!${item}`).join(',');
        expect(matches(list, value)).toBe(!refused.includes(value));
      }),
    );
  });
});
