import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('a second press is left out while the first is under way, and no longer, also where that failed', async () => {
  const once = oneAtATime();
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const send = () => once(() => new Promise<void>((resolve, reject) => void ends.push({ resolve, reject })));
  const first = send();
  await send();
  expect(ends).toHaveLength(1);
  ends[0]?.reject(new Error('no room'));
  await expect(first).rejects.toThrow('no room');
  const again = send();
  await send();
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await again;
  void send();
  expect(ends).toHaveLength(3);
});
