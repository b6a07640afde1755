import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOfShift, isToBeWiped, problemOfPin, timeToLock } from './locked-person.ts';

test('a PIN has six digits or more that are no row', () => {
  expect(problemOfPin('482913')).toBeNull();
  for (const pin of ['12345', '', '48291a', '1234567890123']) expect(problemOfPin(pin)).toBe('form');
  for (const pin of ['111111', '123456', '987654', '121212']) expect(problemOfPin(pin)).toBe('guessable');
});

test('a shift that is over is wiped, what was not sent a day later', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: -1000, max: 1000 }),
      (now, hours, by) => {
        const endsAtMs = endOfShift(now, hours);
        expect(isToBeWiped({ endsAtMs, hasUnsent: false }, endsAtMs + by)).toBe(by >= 0);
        expect(isToBeWiped({ endsAtMs, hasUnsent: true }, endsAtMs + Math.abs(by))).toBe(false);
        expect(isToBeWiped({ endsAtMs, hasUnsent: true }, endsAtMs + 86_400_000)).toBe(true);
      },
    ),
  );
});

test('whoever is let in is on until it is deleted, and for longer than no time', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(),
      fc.boolean(),
      (from, hours, by, hasUnsent) => {
        const endsAtMs = endOfShift(from, hours);
        const now = from + by;
        if (isToBeWiped({ endsAtMs, hasUnsent }, now)) return;
        const lockAtMs = timeToLock({ endsAtMs }, now);
        expect(lockAtMs).toBeGreaterThan(now);
        expect(isToBeWiped({ endsAtMs, hasUnsent }, lockAtMs)).toBe(now >= endsAtMs || !hasUnsent);
      },
    ),
  );
});
