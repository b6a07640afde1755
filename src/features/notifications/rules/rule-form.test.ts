import { describe, expect, it } from 'vitest';
import type { RuleRow } from '../../../contract/http/notifications/notification-views.ts';
import { otherServices, ruleColumns, ruleSchema, ruleValues } from './rule-form.ts';

const row = (columns: Partial<RuleRow>): RuleRow => ({ id: 'r', events: ['check.failed'], ...columns });

describe('the form of a rule', () => {
  it('opens and saves a rule as it was', () => {
    const before = row({
      person_id: 'p',
      filter: 'true',
      repeat_interval: '2h',
      wait_for: 300_000_000_000,
      group_by: ['type', 'label:team'],
      properties: { to: 'ops' },
    });
    expect(ruleValues(before)).toMatchObject({
      recipient: 'person',
      wait_for: '5m',
      group_by: 'type, label:team',
    });
    expect(ruleColumns(ruleValues(before), before)).toEqual({
      title: null,
      events: ['check.failed'],
      filter: 'true',
      person_id: 'p',
      team_id: null,
      custom_services: null,
      repeat_interval: '2h',
      wait_for: 300_000_000_000,
      group_by: ['type', 'label:team'],
      template: null,
      properties: { to: 'ops' },
    });
  });

  it('keeps exactly one kind of recipient', () => {
    const before = row({ person_id: 'p' });
    const switched = { ...ruleValues(before), recipient: 'team' as const, team_id: 't' };
    expect(ruleColumns(switched, before)).toMatchObject({
      person_id: null,
      team_id: 't',
      custom_services: null,
    });
  });

  it('changes the first service alone, and leaves what it does not show', () => {
    const before = row({
      custom_services: [
        { name: 'a', url: 'https://x/***', properties: { to: 'b' } },
        { name: 'b', connection: 'c' },
      ],
    });
    expect(otherServices(before)).toBe(1);
    const columns = ruleColumns({ ...ruleValues(before), connection: 'ops' }, before);
    expect(columns['custom_services']).toEqual([
      { name: 'a', connection: 'ops', properties: { to: 'b' } },
      { name: 'b', connection: 'c' },
    ]);
  });

  it('says at the field what the server would refuse', () => {
    const wrong = { ...ruleValues(null), recipient: 'service' as const, filter: '1 +', wait_for: 'soon' };
    const fields = ruleSchema(null)
      .safeParse(wrong)
      .error?.issues.map(({ path }) => path.join('.'));
    expect(fields?.toSorted()).toEqual(['connection', 'events', 'filter', 'wait_for']);
    const good = { ...ruleValues(null), events: ['check.failed'], person_id: 'p' };
    expect(ruleSchema(null).safeParse(good).success).toBe(true);
  });
});
