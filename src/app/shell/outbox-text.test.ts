import { expect, test } from 'vitest';
import { outboxText } from './outbox-text.ts';

test('it names what needs the user first and leaves out what is empty', () => {
  expect(outboxText({ kept: 2, sending: 0, refused: 1, prepared: 0 })).toBe(
    '1 refused, 2 saved on this device',
  );
  expect(outboxText({ kept: 0, sending: 3, refused: 0, prepared: 0 })).toBe('3 sending');
});

test('an empty outbox is said to hold nothing', () => {
  expect(outboxText({ kept: 0, sending: 0, refused: 0, prepared: 0 })).toBe('nothing');
});
