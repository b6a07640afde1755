import { describe, expect, test } from 'vitest';
import { furthestStep, mayTellProgress, msToAcknowledge } from './responder-progress.ts';

const times = { created_at: '2026-01-01T10:00:00Z', acknowledged: null, resolved: null, closed: null };

describe('the progress of a responder', () => {
  test('says how long it took to acknowledge, never less than nothing', () => {
    expect(msToAcknowledge(times)).toBeNull();
    expect(msToAcknowledge({ ...times, acknowledged: '2026-01-01T10:04:30Z' })).toBe(270_000);
    expect(msToAcknowledge({ ...times, acknowledged: '2026-01-01T09:59:59Z' })).toBe(0);
    expect(msToAcknowledge({ ...times, acknowledged: 'soon' })).toBeNull();
  });

  test('is as far as its furthest step, also when one was left out', () => {
    expect(furthestStep(times)).toBe('created');
    expect(furthestStep({ ...times, acknowledged: 'x' })).toBe('acknowledged');
    expect(furthestStep({ ...times, closed: 'x' })).toBe('closed');
  });

  test.each([
    ['the responder', 'p', ['responder'], true],
    ['a member of the team', 'm', ['responder'], true],
    ['the commander of the incident', 'c', ['responder'], true],
    ['an administrator', 'x', ['admin'], true],
    ['a commander by role', 'x', ['commander'], true],
    ['another responder', 'x', ['responder'], false],
    ['an editor', 'x', ['editor'], false],
    ['somebody without a role', 'x', [], false],
  ])('is told by %s: %s %j %s', (_who, id, roles, isAllowed) => {
    const subject = { personId: 'p', memberIds: ['m'], commanderId: 'c' };
    expect(mayTellProgress({ id, roles }, subject)).toBe(isAllowed);
  });
});
