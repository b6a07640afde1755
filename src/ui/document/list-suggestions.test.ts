import { expect, test } from 'vitest';
import { listSuggestions } from './list-suggestions.ts';

test.each([
  [undefined, ['200', '201', '404']],
  [[200], ['200, 201', '200, 404']],
  [[20], ['200', '201', '404']],
  [
    [404, 2],
    ['404, 200', '404, 201'],
  ],
])('after %j comes one of those that are not in it yet', (value, due) =>
  expect(listSuggestions(['200', '201', '404'], value)).toEqual(due),
);

test('where nothing is offered, nothing is', () => expect(listSuggestions(undefined, [200])).toBeUndefined());
