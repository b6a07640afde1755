import { describe, expect, test } from 'vitest';
import { allowedStatuses, INCIDENT_STATUSES, mayBecome } from './incident.ts';

/** The table of spec 3 §4, written out once more by hand. */
const ALLOWED: Record<string, string> = {
  new: 'new open investigating mitigated resolved closed',
  open: 'open investigating mitigated resolved closed',
  investigating: 'investigating mitigated resolved closed',
  mitigated: 'mitigated resolved closed open',
  resolved: 'resolved closed open',
  closed: 'closed open',
};

describe('the status of an incident', () => {
  test.each(INCIDENT_STATUSES)('from %s goes where the specification says, and nowhere else', (from) => {
    expect(allowedStatuses(from).join(' ')).toBe(ALLOWED[from]);
    for (const to of INCIDENT_STATUSES)
      expect(mayBecome(from, to)).toBe(ALLOWED[from]?.split(' ').includes(to));
  });

  test('a word that we do not know may be left for any that we do, and never entered', () => {
    expect(mayBecome('cancelled', 'open')).toBe(true);
    expect(mayBecome('open', 'cancelled')).toBe(false);
    expect(mayBecome('cancelled', 'cancelled')).toBe(true);
  });
});
