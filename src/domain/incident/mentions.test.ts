import { expect, test } from 'vitest';
import { commentParts, plainMentions } from './mentions.ts';

test('a mention reads as its name', () => {
  expect(plainMentions('See @[Ada Byron](user:1) and @[Bo](user:2)!')).toBe('See @Ada Byron and @Bo!');
});

test('a comment falls into text and mentions, with nothing lost between', () => {
  expect(commentParts('@[Ada](user:1), look')).toEqual([
    { kind: 'mention', name: 'Ada' },
    { kind: 'text', text: ', look' },
  ]);
  expect(commentParts('a @[b](c) d')).toEqual([{ kind: 'text', text: 'a @[b](c) d' }]);
  expect(commentParts('')).toEqual([]);
});
