import { expect, it } from 'vitest';
import { deepJsonRefusal } from './json-depth.ts';

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

it('a document of five hundred levels is taken, one level more is not', () => {
  expect(deepJsonRefusal(lists(500))).toBeNull();
  expect(deepJsonRefusal(lists(501))?.message).toContain('allowed are 500 levels');
  expect(deepJsonRefusal(`${'{"a":'.repeat(501)}1${'}'.repeat(501)}`)?.code).toBe('invalid');
  expect(deepJsonRefusal('['.repeat(1_000_000))?.code).toBe('invalid');
});

it('what stands in texts, and what stands beside each other, is not deep', () => {
  expect(deepJsonRefusal(JSON.stringify({ a: lists(2000), b: `\\"${lists(2000)}` }))).toBeNull();
  expect(deepJsonRefusal(`[${'[],'.repeat(5000)}{}]`)).toBeNull();
  expect(deepJsonRefusal('"no end \\')).toBeNull();
});
