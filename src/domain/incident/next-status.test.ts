import { expect, test } from 'vitest';
import { INCIDENT_STATUSES, mayBecome } from './incident.ts';
import { statusAfter } from './next-status.ts';

test('a step never leads where the transition table forbids, nor to where it is', () => {
  for (const from of [...INCIDENT_STATUSES, 'from-the-future'])
    for (const step of ['onwards', 'resolve'] as const) {
      const to = statusAfter(from, step);
      if (to === null) continue;
      expect(to).not.toBe(from);
      expect(mayBecome(from, to)).toBe(true);
    }
});

test('onwards acknowledges, mitigates, resolves, closes; a closed incident can only be reopened', () => {
  expect(INCIDENT_STATUSES.map((from) => statusAfter(from, 'onwards'))).toEqual([
    'investigating',
    'investigating',
    'mitigated',
    'resolved',
    'closed',
    null,
  ]);
  expect(INCIDENT_STATUSES.map((from) => statusAfter(from, 'resolve'))).toEqual([
    'resolved',
    'resolved',
    'resolved',
    'resolved',
    null,
    null,
  ]);
});
