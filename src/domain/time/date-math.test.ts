import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateMathText, evaluateDateMath, isExactMoment } from './date-math.ts';

const NOW = Date.parse('2024-03-31T15:45:30.500Z');
const at = (expression: string) => {
  const timeMs = evaluateDateMath(expression, NOW);
  return timeMs === null ? null : new Date(timeMs).toISOString();
};

describe('a moment as a database takes it', () => {
  it.each([
    ['2024-01-02T03:04:05.123456Z', '2024-01-02T03:04:05.123456Z'],
    ['2024-01-02T03:04:05.123456+02:00', '2024-01-02T01:04:05.123456Z'],
    ['2024-01-02 03:04:05.123456||-1s', '2024-01-02T03:04:04.123456Z'],
    ['2024-01-02T03:04:05.123456||/d', '2024-01-02T00:00:00.000Z'],
    ['2024-01-02T03:04:05.12Z', '2024-01-02T03:04:05.120Z'],
    ['now', '2024-03-31T15:45:30.500Z'],
    ['2024-02-30', null],
  ])('%s is %s', (expression, moment) => {
    expect(dateMathText(expression, NOW)).toBe(moment);
  });

  it('loses no microsecond', () => {
    const micros = fc.tuple(
      fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
      fc.nat(999),
    );
    fc.assert(
      fc.property(micros, ([date, finer]) => {
        const text = date.toISOString().replace('Z', `${String(finer).padStart(3, '0')}Z`);
        expect(dateMathText(text, NOW)).toBe(text);
        expect(isExactMoment(text)).toBe(true);
      }),
    );
  });
});

describe('date math', () => {
  it.each([
    ['now', '2024-03-31T15:45:30.500Z'],
    ['now-2d', '2024-03-29T15:45:30.500Z'],
    ['now+90m', '2024-03-31T17:15:30.500Z'],
    ['now-500ms', '2024-03-31T15:45:30.000Z'],
    ['now/d', '2024-03-31T00:00:00.000Z'],
    ['now/w', '2024-03-25T00:00:00.000Z'],
    ['now/M-1d', '2024-02-29T00:00:00.000Z'],
    ['now-1M', '2024-02-29T15:45:30.500Z'],
    ['now-1y/y', '2023-01-01T00:00:00.000Z'],
    ['now-1h/h', '2024-03-31T14:00:00.000Z'],
    ['2024-01-01||+1M/d', '2024-02-01T00:00:00.000Z'],
    ['2024-01-02T03:04:05+02:00', '2024-01-02T01:04:05.000Z'],
    ['2024-01-02T03:04:05', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02 03:04:05||-1s', '2024-01-02T03:04:04.000Z'],
  ])('%s is %s', (expression, moment) => {
    expect(at(expression)).toBe(moment);
  });

  it.each([
    '',
    'yesterday',
    'now-',
    'now-2',
    'now-2q',
    'now 2d',
    'now/d/',
    '2024-13-45',
    '2024-02-30',
    '2023-02-29T10:00:00Z',
    '2024-01-01T25:00',
    'now+1d||',
    '2024-01-01+1d',
    '12',
    'now+999999999y',
  ])('refuses %j', (expression) => {
    expect(at(expression)).toBeNull();
  });
});

describe('date math, whatever the moment', () => {
  const moments = fc.date({
    min: new Date('1971-01-01T00:00:00Z'),
    max: new Date('2200-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  const fixedUnits = fc.constantFrom('ms', 's', 'm', 'h', 'd', 'w');
  const units = fc.constantFrom('ms', 's', 'm', 'h', 'd', 'w', 'M', 'y');
  const counts = fc.integer({ min: 0, max: 5000 });

  it('a time written as ISO text is itself', () => {
    fc.assert(
      fc.property(moments, (moment) => evaluateDateMath(moment.toISOString(), 0) === moment.getTime()),
    );
  });

  it('a step forth and back of a fixed length leads home', () => {
    fc.assert(
      fc.property(moments, counts, fixedUnits, (moment, count, unit) => {
        const there = `now+${count}${unit}-${count}${unit}`;
        expect(evaluateDateMath(there, moment.getTime())).toBe(moment.getTime());
      }),
    );
  });

  it('months and years never run over into the month after', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 400 }), (moment, months) => {
        const moved = new Date(evaluateDateMath(`now+${months}M`, moment.getTime()) ?? Number.NaN);
        expect(moved.getUTCMonth()).toBe((moment.getUTCMonth() + months) % 12);
        expect(moved.getUTCDate()).toBeLessThanOrEqual(moment.getUTCDate());
      }),
    );
  });

  it('a snap goes back, less than one unit, and a second snap stays', () => {
    fc.assert(
      fc.property(moments, units, (moment, unit) => {
        const nowMs = moment.getTime();
        const snapped = evaluateDateMath(`now/${unit}`, nowMs) ?? Number.NaN;
        expect(snapped).toBeLessThanOrEqual(nowMs);
        expect(evaluateDateMath(`now/${unit}+1${unit}`, nowMs)).toBeGreaterThan(nowMs);
        expect(evaluateDateMath(`now/${unit}/${unit}`, nowMs)).toBe(snapped);
      }),
    );
  });

  it('any other text is refused, never a wrong time', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        const timeMs = evaluateDateMath(text, 0);
        if (timeMs !== null) expect(text).toMatch(/^\s*(now|\d{4}-\d\d-\d\d)/);
      }),
    );
  });
});
