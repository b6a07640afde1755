import { expect, test } from 'vitest';
import { followName } from './follow-name.ts';

test.each([
  ['http:\n  - name: ""\n', '', 'shop', 'http:\n  - name: "shop"\n'],
  ['http:\n  - name: sho # short\n', 'sho', 'shop', 'http:\n  - name: shop # short\n'],
  ['http:\n  - name: front\n', 'sho', 'shop', 'http:\n  - name: front\n'],
  ['http:\n  - name: a\n  - name: a\n', 'a', 'b', 'http:\n  - name: a\n  - name: a\n'],
  ['http: [', 'a', 'b', 'http: ['],
])('%j, called %j before and %j now', (spec, before, name, expected) => {
  expect(followName(spec, before, name)).toBe(expected);
});
