import { describe, expect, it } from 'vitest';
import { closestWord } from './closest-word.ts';

const WORDS = ['http', 'tcp', 'dns', 'pod', 'url', 'elasticsearch'];

describe('the word that was meant', () => {
  it.each([
    ['htp', 'http'],
    ['htpp', 'http'],
    ['HTTP', 'http'],
    ['urll', 'url'],
    ['elasticsaerch', 'elasticsearch'],
  ])('%s is %s', (wanted, meant) => expect(closestWord(wanted, WORDS)).toBe(meant));

  it.each(['foo', 'udp', 'something', '', 'x'.repeat(10_000)])('%.20s is none of them', (wanted) =>
    expect(closestWord(wanted, WORDS)).toBeNull(),
  );
});
