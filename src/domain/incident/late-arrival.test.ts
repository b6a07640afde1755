import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lateArrival } from './late-arrival.ts';

const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });
const iso = (atMs: number) => new Date(atMs).toISOString();

test('both times are told exactly where the server got it more than a minute after it was written', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: -200_000, max: 200_000 }), (writtenMs, tookMs) => {
      const arrivedMs = Math.max(0, writtenMs + tookMs);
      const late = lateArrival({ created_at: iso(arrivedMs), written_at: iso(writtenMs) });
      expect(late).toEqual(arrivedMs - writtenMs > 60_000 ? { writtenMs, arrivedMs } : null);
    }),
  );
});

test.each([null, undefined, '', 'yesterday'])('written %s says nothing', (written) => {
  expect(lateArrival({ created_at: iso(1_000_000), written_at: written })).toBeNull();
});
