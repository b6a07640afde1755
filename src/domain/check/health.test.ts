import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHealth, groupHealth, healthOfWord, isPassing } from './health.ts';

const at = (iso: string) => Date.parse(iso);
const check = (status: 'healthy' | 'unhealthy' | null, last: string | null, next: string | null) => ({
  status,
  last_runtime: last,
  next_runtime: next,
});

describe('health marks', () => {
  it('maps the words of spec 1 §2 to red, grey, orange and green', () => {
    for (const word of ['degraded', 'missing', 'unhealthy', 'Unhealthy'])
      expect(healthOfWord(word)).toBe('unhealthy');
    for (const word of ['unknown', 'suspended', '', null, undefined])
      expect(healthOfWord(word)).toBe('unknown');
    for (const word of ['warning', 'mixed']) expect(healthOfWord(word)).toBe('warning');
    expect(healthOfWord('healthy')).toBe('healthy');
    expect(healthOfWord('progressing')).toBe('healthy');
    expect(healthOfWord('healthy', false)).toBe('unhealthy');
  });

  it('a check that is overdue is never shown as healthy and never hidden as passing', () => {
    const row = check('healthy', '2026-01-01T00:00:00Z', '2026-01-01T00:00:30Z');
    const inTime = checkHealth(row, at('2026-01-01T00:01:29Z'));
    expect(inTime).toEqual({ state: 'healthy', lastKnown: 'healthy', isStale: false });
    expect(isPassing(inTime)).toBe(true);
    const late = checkHealth(row, at('2026-01-01T00:01:31Z'));
    expect(late).toEqual({ state: 'unknown', lastKnown: 'healthy', isStale: true });
    expect(isPassing(late)).toBe(false);
  });

  it('an overdue unhealthy check stays red', () => {
    const row = check('unhealthy', '2026-01-01T00:00:00Z', '2026-01-01T00:00:30Z');
    expect(checkHealth(row, at('2026-01-02T00:00:00Z'))).toMatchObject({ state: 'unhealthy', isStale: true });
  });

  it('a slow check is granted its own interval before it counts as overdue', () => {
    const row = check('healthy', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z');
    expect(checkHealth(row, at('2026-01-01T01:59:00Z')).isStale).toBe(false);
    expect(checkHealth(row, at('2026-01-01T02:01:00Z')).isStale).toBe(true);
  });

  it('a check that never ran, or has no next run, is not overdue', () => {
    expect(checkHealth(check(null, null, null), at('2030-01-01T00:00:00Z')).state).toBe('unknown');
    expect(
      checkHealth(check('healthy', '2026-01-01T00:00:00Z', null), at('2030-01-01T00:00:00Z')).isStale,
    ).toBe(false);
    expect(checkHealth(check('healthy', null, 'not a time'), at('2030-01-01T00:00:00Z')).isStale).toBe(false);
  });

  it('a group is good when all are, bad when all are, mixed otherwise', () => {
    const count = fc.nat(5);
    fc.assert(
      fc.property(count, count, count, count, (healthy, unhealthy, warning, unknown) => {
        const counts = { healthy, unhealthy, warning, unknown };
        const total = healthy + unhealthy + warning + unknown;
        const state = groupHealth(counts);
        if (total === 0 || unknown === total) expect(state).toBe('unknown');
        else if (healthy === total) expect(state).toBe('healthy');
        else if (unhealthy === total) expect(state).toBe('unhealthy');
        else expect(state).toBe('warning');
      }),
    );
  });
});
