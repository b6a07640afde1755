import { expect, test } from 'vitest';
import { nodePlatform } from './platform.ts';

test('new ids are uuids, each another one, and sort in the order in which they are made', () => {
  const ids = Array.from({ length: 1000 }, () => nodePlatform.newId());
  expect(new Set(ids).size).toBe(1000);
  expect(ids).toEqual(ids.toSorted());
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});
