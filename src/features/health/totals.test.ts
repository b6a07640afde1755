import { expect, test } from 'vitest';
import type { HealthFrame } from '../../contract/worker.ts';
import { totalsOf } from './totals.ts';

const frame = (part: Partial<HealthFrame>): HealthFrame => ({
  isLoaded: true,
  rowCount: 0,
  checkCount: 0,
  counts: { healthy: 0, unhealthy: 0, warning: 0, unknown: 0 },
  shown: { healthy: 0, unhealthy: 0, warning: 0, unknown: 0 },
  hiddenPassing: 0,
  tabs: [],
  facets: [],
  pivotColumns: [],
  summaryRange: '1h',
  ...part,
});
const line = (part: Partial<HealthFrame>) =>
  totalsOf(frame(part))
    .map(({ text }) => text)
    .join(' · ');

test('healthy checks are counted even while they are hidden', () => {
  expect(
    line({
      checkCount: 1000,
      counts: { healthy: 920, unhealthy: 80, warning: 0, unknown: 0 },
      shown: { healthy: 0, unhealthy: 80, warning: 0, unknown: 0 },
      hiddenPassing: 920,
    }),
  ).toBe('1,000 checks · 920 healthy · 80 unhealthy · 920 passing hidden');
});

test('checks whose state is not known are counted apart, and a narrowed list says how many it shows', () => {
  expect(
    line({
      checkCount: 10,
      counts: { healthy: 5, unhealthy: 1, warning: 0, unknown: 4 },
      shown: { healthy: 0, unhealthy: 1, warning: 0, unknown: 2 },
      hiddenPassing: 3,
    }),
  ).toBe('10 checks · 5 healthy · 1 unhealthy · 4 unknown · 3 passing hidden · showing 3');
});

test('one check is one check, none says nothing of health', () => {
  expect(
    line({ checkCount: 1, counts: { healthy: 1, unhealthy: 0, warning: 0, unknown: 0 }, hiddenPassing: 1 }),
  ).toBe('1 check · 1 healthy · 0 unhealthy · 1 passing hidden');
  expect(line({})).toBe('0 checks');
});
