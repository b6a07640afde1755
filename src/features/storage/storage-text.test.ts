import { expect, test } from 'vitest';
import { clockText, collectionText, formatBytes } from './storage-text.ts';

test('bytes are written with the unit that fits', () => {
  expect(formatBytes(0)).toBe('0 B');
  expect(formatBytes(999)).toBe('999 B');
  expect(formatBytes(1_240_000)).toBe('1.2 MB');
  expect(formatBytes(64_000_000_000)).toBe('64 GB');
});

test('a collection that this version does not know keeps its name', () => {
  expect(collectionText('configs')).toBe('Catalog');
  expect(collectionText('from_the_future')).toBe('from_the_future');
});

test('only a clock that is really off is said to be', () => {
  expect(clockText(1900)).toBe('agrees with the server');
  expect(clockText(60_000)).toContain('1m behind the server');
  expect(clockText(-60_000)).toContain('1m ahead of the server');
});
