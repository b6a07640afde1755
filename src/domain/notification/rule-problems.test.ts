import { describe, expect, it } from 'vitest';
import { ruleProblems } from './rule-problems.ts';
import { silenceProblems } from './silence-problems.ts';

const GOOD = { events: ['check.failed'], custom_services: [{ connection: 'ops' }] };
const fieldsOf = (row: object, isNew = true) => ruleProblems({ ...row }, isNew).map(({ field }) => field);

describe('a rule', () => {
  it('that can run has no problems', () => {
    expect(ruleProblems(GOOD, true)).toEqual([]);
    expect(
      fieldsOf({ ...GOOD, custom_services: [{ url: 'ntfy://ntfy.sh/ops' }], repeat_interval: '1m' }),
    ).toEqual([]);
  });

  it('without anybody to tell, as one that only shows how a status looks, is refused with a sentence', () => {
    expect(ruleProblems({ name: 'test-notification', events: ['config.unhealthy'] }, true)).toEqual([
      { field: 'person_id', message: 'name who is told: person_id, team_id or custom_services' },
    ]);
  });

  it('is refused at the field that is wrong', () => {
    expect(fieldsOf({ ...GOOD, events: [] })).toEqual(['events']);
    expect(fieldsOf({ ...GOOD, events: ['check.failed', 'check.broken'] })).toEqual(['events[1]']);
    expect(fieldsOf({ ...GOOD, team_id: 'x' })).toEqual(['custom_services']);
    expect(fieldsOf({ ...GOOD, custom_services: [{}] })).toEqual(['custom_services[0]']);
    expect(fieldsOf({ ...GOOD, custom_services: [{ url: 'gopher://x' }] })).toEqual(['custom_services[0]']);
    expect(fieldsOf({ ...GOOD, repeat_interval: 'often', wait_for: -1 })).toEqual([
      'repeat_interval',
      'wait_for',
    ]);
    expect(fieldsOf({ ...GOOD, filter: 'check.name ==', properties: { to: 5 } })).toEqual([
      'filter',
      'properties',
    ]);
    expect(fieldsOf({ ...GOOD, filter: 'check.labels["a"] == "b"', properties: { to: 'x' } })).toEqual([]);
  });

  it('that is changed is held to what the change carries', () => {
    expect(fieldsOf({ deleted_at: 'now()' }, false)).toEqual([]);
    expect(fieldsOf({ person_id: null, team_id: null, custom_services: null }, false)).toEqual(['person_id']);
    expect(fieldsOf({ person_id: 'x', team_id: null, custom_services: null }, false)).toEqual([]);
  });
});

describe('a silence', () => {
  it('is refused for labels, hours and zones that can not be read', () => {
    expect(silenceProblems({ deleted_at: 'now()' })).toEqual([]);
    const fields = (row: object) => silenceProblems({ ...row }).map(({ field }) => field);
    expect(fields({ selector: 'a in (b' })).toEqual(['selector']);
    const night = { start: '22:00', end: '06:00', tz: 'Europe/Berlin' };
    expect(fields({ recurrence: [night, { ...night, tz: 'Mars' }, { start: '9', end: '10' }] })).toEqual([
      'recurrence[1]',
      'recurrence[2]',
    ]);
  });

  it('has to name something, and to end after it begins', () => {
    const fields = (row: object, isNew = true) =>
      silenceProblems({ ...row }, isNew).map(({ field }) => field);
    expect(fields({ from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' })).toEqual(['config_id']);
    expect(
      fields({ check_id: 'x', from: '2026-01-02T00:00:00Z', until: '2026-01-02T01:00:00+01:00' }),
    ).toEqual(['until']);
    expect(fields({ filter: 'check.name == "a"' })).toEqual([]);
    expect(fields({ filter: 'check.name ==' })).toEqual(['filter']);
    expect(
      fields({ selector: 'a=b', recurrence: [{ start: '09:00', end: '10:00', days: ['sunday'] }] }),
    ).toEqual(['recurrence[0]']);
    // A change that says nothing of what is silenced leaves it as it is.
    expect(fields({ check_id: null }, false)).toEqual([]);
  });
});
