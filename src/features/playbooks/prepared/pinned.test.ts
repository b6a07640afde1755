import { expect, test } from 'vitest';
import { readPinned } from './pinned.ts';

const pinnedOf = (text: string | null) => readPinned({ readSetting: () => text });

test('what is pinned is read back, and whatever else stands there is nothing', () => {
  const pinned = [{ kind: 'check' as const, id: 'a' }];
  expect(pinnedOf(JSON.stringify(pinned))).toEqual(pinned);
  for (const other of [null, '', 'text', '{}', '[{"kind":"planet","id":"x"}]', '[1]'])
    expect(pinnedOf(other)).toEqual([]);
});
