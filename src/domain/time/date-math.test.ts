import { describe, expect, it } from 'vitest';
import { evaluateDateMath } from './date-math.ts';

const NOW = Date.parse('2024-03-31T15:45:30.500Z');
const at = (expression: string) => {
  const timeMs = evaluateDateMath(expression, NOW);
  return timeMs === null ? null : new Date(timeMs).toISOString();
};

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
    '2024-01-01+1d',
    '12',
    'now+999999999y',
  ])('refuses %j', (expression) => {
    expect(at(expression)).toBeNull();
  });
});
