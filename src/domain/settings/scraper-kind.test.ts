import { expect, test } from 'vitest';
import { scraperKind } from './scraper-kind.ts';

test.each([
  [{ schedule: '@every 1m', kubernetes: [] }, 'kubernetes'],
  [{ retention: {}, azureDevops: [] }, 'azureDevops'],
  [{ schedule: '@every 1m', somethingNew: [] }, 'custom'],
  [{ schedule: '@every 1m' }, 'custom'],
  [null, 'custom'],
  ['file', 'custom'],
])('the spec %j is of kind %s', (spec, kind) => {
  expect(scraperKind(spec)).toBe(kind);
});
