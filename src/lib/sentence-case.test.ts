import { expect, it } from 'vitest';
import { sentenceCase } from './sentence-case.ts';

it('a word of the wire is read as words', () => {
  const words = ['open', 'technicalDebt', 'technical_debt', ''];
  expect(words.map(sentenceCase)).toEqual(['Open', 'Technical debt', 'Technical debt', '']);
});
