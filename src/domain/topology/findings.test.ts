import { expect, test } from 'vitest';
import { findingsOf } from './findings.ts';

test('low insights are counted with the medium ones, and the number says of which it is', () => {
  const counts = { cost: { low: 2, medium: 1, critical: 1 }, security: { low: 3, info: 0 } };
  expect(findingsOf(counts, { mergesLow: true })).toEqual([
    { type: 'cost', severities: ['critical'], count: 1 },
    { type: 'cost', severities: ['medium', 'low'], count: 3 },
    { type: 'security', severities: ['low'], count: 3 },
  ]);
  expect(findingsOf({ availability: { low: 1, medium: 1 } }, { mergesLow: false })).toEqual([
    { type: 'availability', severities: ['medium'], count: 1 },
    { type: 'availability', severities: ['low'], count: 1 },
  ]);
});
