import { expect, test } from 'vitest';
import { ancestorIds, formatCost, isStale, propertyText, safeAddress } from './item-facts.ts';

test('an item is stale an hour after its last scrape, unless it is deleted', () => {
  const at = Date.parse('2026-01-01T10:00:00Z');
  const scraped = (time: string | null, deleted: string | null = null) =>
    isStale({ lastScrapedAt: time, deleted_at: deleted }, at);
  expect(scraped('2026-01-01T08:59:59Z')).toBe(true);
  expect(scraped('2026-01-01T09:00:00Z')).toBe(false);
  expect(scraped('2025-01-01T09:00:00Z', '2025-02-01T00:00:00Z')).toBe(false);
  expect(scraped(null)).toBe(false);
});

test('ancestors go from the root to the parent, without the item itself', () => {
  expect(ancestorIds({ id: 'c', path: 'a.b.c', parent_id: 'b' })).toEqual(['a', 'b']);
  expect(ancestorIds({ id: 'c', path: null, parent_id: 'b' })).toEqual(['b']);
  expect(ancestorIds({ id: 'c', path: '', parent_id: null })).toEqual([]);
});

test('costs above a thousand are in k, tiny ones are not nothing', () => {
  expect([0, 0.004, 12.3, 999.994, 1000, 1250].map(formatCost)).toEqual([
    '$0.00',
    '$0.0040',
    '$12.30',
    '$999.99',
    '$1k',
    '$1.3k',
  ]);
});

test('a property shows its text, else its value', () => {
  expect(propertyText({ text: 'a', value: 1 })).toBe('a');
  expect(propertyText({ text: '', value: 0 })).toBe('0');
  expect(propertyText({ text: null, value: { a: 1 } })).toBe('{"a":1}');
  expect(propertyText({ text: null, value: null })).toBeNull();
});

test('only web addresses become links', () => {
  expect(safeAddress('https://a.example')).toBe('https://a.example');
  expect(safeAddress('javascript:alert(1)')).toBeNull();
  expect(safeAddress(' https://a.example')).toBeNull();
});
