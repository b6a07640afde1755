import { describe, expect, test } from 'vitest';
import { followSubject, nextIncidentState } from './rule-match.ts';
import { INCIDENT_STATUSES, mayBecome } from './incident.ts';

const NOW = 1_000_000;
const SICK = { isMatching: true, isHealthy: false, nowMs: NOW };
const WELL = { isMatching: false, isHealthy: true, nowMs: NOW };
const POORLY = { isMatching: false, isHealthy: false, nowMs: NOW };

describe('the episode of a subject', () => {
  const of = (incidentStatus: string | null, hasRecovered = false, healthySinceMs: number | null = null) => ({
    incidentStatus,
    hasRecovered,
    healthySinceMs,
  });

  test('ends when the subject recovers before there is an incident', () => {
    expect(followSubject(of(null), WELL)).toEqual({ kind: 'ends' });
    expect(followSubject(of(null), SICK)).toMatchObject({ kind: 'goes_on' });
  });

  test('opens a resolved incident again only when the subject was well in between', () => {
    expect(followSubject(of('resolved', true, 1), SICK)).toMatchObject({
      reopens: true,
      hasRecovered: false,
    });
    expect(followSubject(of('resolved'), SICK)).toMatchObject({ reopens: false });
    expect(followSubject(of('mitigated', true, 1), SICK)).toMatchObject({ reopens: false });
  });

  test('counts healthy time from when it began, and anew after a doubt', () => {
    expect(followSubject(of('open'), WELL)).toMatchObject({ healthySinceMs: NOW, hasRecovered: true });
    expect(followSubject(of('open', true, 5), WELL)).toMatchObject({ healthySinceMs: 5 });
    expect(followSubject(of('open', true, 5), POORLY)).toMatchObject({
      healthySinceMs: null,
      hasRecovered: true,
    });
  });

  test('stays shut for the spell in which a person closed it, and no longer', () => {
    expect(followSubject(of('closed'), SICK)).toMatchObject({ kind: 'goes_on', reopens: false });
    expect(followSubject(of('closed'), WELL)).toEqual({ kind: 'ends' });
    expect(followSubject(of('closed', true), SICK)).toEqual({ kind: 'ends' });
  });
});

describe('settling an incident', () => {
  const base = { status: 'open', before: null, ending: null, nowMs: NOW };
  const done = { id: 'a', done: true };
  const undone = { id: 'b', done: false };

  test('resolves it when all is done, not when part of it is, nor when there is nothing to be done', () => {
    expect(nextIncidentState({ ...base, evidences: [done] }).to).toBe('resolved');
    expect(nextIncidentState({ ...base, evidences: [done, undone] }).to).toBeNull();
    expect(nextIncidentState({ ...base, evidences: [{ id: 'c', done: null }] }).to).toBeNull();
    expect(nextIncidentState({ ...base, evidences: [] }).to).toBeNull();
  });

  test('opens it again when what was done no longer is, not when more is asked', () => {
    const before = { isDone: true, doneIds: ['a'] };
    const resolved = { ...base, status: 'resolved', before };
    expect(nextIncidentState({ ...resolved, evidences: [{ id: 'a', done: false }] }).to).toBe('open');
    expect(nextIncidentState({ ...resolved, evidences: [done, undone] }).to).toBeNull();
  });

  test('does not do again what a person undid', () => {
    const before = { isDone: true, doneIds: ['a'] };
    expect(nextIncidentState({ ...base, before, evidences: [done] }).to).toBeNull();
  });

  test('waits for the healthy time of the rule, and says until when', () => {
    const ending = { healthySinceMs: NOW - 50, autoResolveMs: 100, autoCloseMs: 1000 };
    const waiting = nextIncidentState({ ...base, ending, evidences: [done] });
    expect(waiting).toMatchObject({ to: null, dueMs: NOW + 50 });
    const ripe = { ...base, nowMs: NOW + 50, ending, evidences: [done] };
    expect(nextIncidentState(ripe)).toMatchObject({ to: 'resolved', dueMs: NOW + 950 });
    expect(nextIncidentState({ ...ripe, nowMs: NOW + 950 }).to).toBe('closed');
    expect(nextIncidentState({ ...ripe, nowMs: NOW + 950, evidences: [done, undone] }).to).toBeNull();
    const sick = { healthySinceMs: null, autoResolveMs: 0, autoCloseMs: 0 };
    expect(nextIncidentState({ ...base, ending: sick, evidences: [done] }).to).toBeNull();
  });

  const inputs = [[], [done], [undone], [done, undone]].flatMap((evidences) =>
    [null, { isDone: true, doneIds: ['a', 'b'] }, { isDone: false, doneIds: [] }].flatMap((before) =>
      [null, { healthySinceMs: 0, autoResolveMs: 0, autoCloseMs: 0 }].map((ending) => ({
        evidences,
        before,
        ending,
      })),
    ),
  );

  test.each(INCIDENT_STATUSES)('from %s goes only where a person may, and leaves what is over', (status) => {
    const targets = inputs.map((input) => nextIncidentState({ ...input, status, nowMs: NOW }).to);
    for (const to of targets) if (to !== null) expect(mayBecome(status, to)).toBe(true);
    if (status === 'closed') expect(new Set(targets)).toEqual(new Set([null]));
  });
});
