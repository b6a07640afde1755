import { describe, expect, test } from 'vitest';
import { isInOperation, isTimeZone } from './rule-hours.ts';

/** A Wednesday. */
const at = (clock: string, day = '2026-01-07') => Date.parse(`${day}T${clock}:00Z`);

describe('hours of operation', () => {
  test('without any, a rule is always in operation', () => {
    expect(isInOperation([], at('03:00'))).toBe(true);
  });

  test('begin with their start and end before their end', () => {
    const day = [{ start: '08:00', end: '17:00' }];
    expect([at('07:59'), at('08:00'), at('16:59'), at('17:00')].map((ms) => isInOperation(day, ms))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('may go over midnight, and belong to the day on which they began', () => {
    const night = [{ start: '22:00', end: '06:00', days: ['wed' as const] }];
    expect(isInOperation(night, at('23:00'))).toBe(true);
    expect(isInOperation(night, at('05:00', '2026-01-08'))).toBe(true);
    expect(isInOperation(night, at('05:00'))).toBe(false);
    expect(isInOperation(night, at('23:00', '2026-01-08'))).toBe(false);
  });

  test('that are negated are those in which it rests, whatever the others say', () => {
    const windows = [
      { start: '08:00', end: '17:00' },
      { start: '12:00', end: '13:00', negate: true },
    ];
    expect(isInOperation(windows, at('11:00'))).toBe(true);
    expect(isInOperation(windows, at('12:30'))).toBe(false);
    expect(isInOperation(windows.slice(1), at('20:00'))).toBe(true);
  });

  test('are those of their zone, summer time included', () => {
    const berlin = [{ start: '09:00', end: '10:00', tz: 'Europe/Berlin' }];
    expect(isInOperation(berlin, at('08:30'))).toBe(true);
    expect(isInOperation(berlin, at('07:30', '2026-07-01'))).toBe(true);
    expect(isInOperation(berlin, at('08:30', '2026-07-01'))).toBe(false);
  });

  test('the same start and end are the whole day', () => {
    expect(isInOperation([{ start: '00:00', end: '00:00' }], at('12:00'))).toBe(true);
  });

  test('zones that no machine knows are none', () => {
    expect([isTimeZone('Europe/Berlin'), isTimeZone('Mars/Base')]).toEqual([true, false]);
  });
});
