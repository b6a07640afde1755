import { describe, expect, it } from 'vitest';
import { TIME_RANGES } from '../../../src/domain/time/ranges.ts';
import { durationMs, timeWindow } from './time-window.ts';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');

describe('the window of a health request', () => {
  it('reads every range of the app with the length that the app gives it', () => {
    for (const { value, minutes } of TIME_RANGES)
      expect([value, durationMs(value)]).toEqual([value, minutes * 60_000]);
  });

  it('reads composed durations and small units', () => {
    expect(durationMs('1h30m')).toBe(5_400_000);
    expect(durationMs('1.5h')).toBe(5_400_000);
    expect(durationMs('250ms')).toBe(250);
    expect(durationMs('1mo2m')).toBe(30 * 86_400_000 + 120_000);
  });

  it.each(['', 'h', '1', '1x', '-1h', '1h ', '1 h', 'now'])('%j is no duration', (text) => {
    expect(durationMs(text)).toBeNull();
  });

  it('without anything is the last hour', () => {
    expect(timeWindow({}, NOW_MS)).toEqual({ fromMs: NOW_MS - 3_600_000, untilMs: NOW_MS });
  });

  it('takes moments with any offset, also with a plus sign that nobody encoded', () => {
    const expected = Date.parse('2026-03-01T10:00:00Z');
    for (const start of ['2026-03-01T10:00:00Z', '2026-03-01T12:00:00+02:00', '2026-03-01T12:00:00 02:00']) {
      expect([start, timeWindow({ start }, NOW_MS).fromMs]).toEqual([start, expected]);
    }
    expect(timeWindow({ start: '2h', end: '1h' }, NOW_MS).untilMs).toBe(NOW_MS - 3_600_000);
  });

  it.each([
    { start: 'tomorrow' },
    { start: '2026-13-01' },
    { start: '1h', end: 'x' },
    { start: '1h', end: '1h' },
    { start: '2026-03-01T13:00:00Z' },
    { start: '20y' },
  ])('refuses %j', (asked) => {
    expect(() => timeWindow(asked, NOW_MS)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});
