import { describe, expect, test } from 'vitest';
import type { OutboxItem } from '../../contract/outbox/outbox.ts';
import {
  actionText,
  currentValue,
  fieldText,
  subjectOf,
  valueText,
  writtenFields,
  writtenText,
} from './describe-item.ts';

const item = (name: string, args: unknown): Pick<OutboxItem, 'name' | 'args'> => ({ name, args });

describe('an outbox item in words', () => {
  test('says what it does, also of a command that this version does not know', () => {
    expect(actionText(item('edit_incident', {}))).toBe('Change incident');
    expect(actionText(item('from_the_future', {}))).toContain('from_the_future');
  });

  test('names the incident that it belongs to, or the check', () => {
    expect(subjectOf(item('add_comment', { id: 'c', incidentId: 'i' }))?.href).toBe('/incidents/i');
    expect(subjectOf(item('edit_incident', { id: 'i' }))).toMatchObject({ collection: 'incidents', id: 'i' });
    expect(subjectOf(item('run_check', { checkId: 'k' }))).toMatchObject({ collection: 'checks', id: 'k' });
    expect(subjectOf(item('from_the_future', 'unreadable'))).toBeNull();
  });

  test('lists what was written by column, without ids and without what was left empty', () => {
    const created = item('create_incident', {
      id: 'i',
      rootHypothesisId: 'h',
      title: 'Down',
      description: '',
      severity: 'high',
      commanderId: null,
    });
    expect(writtenFields(created)).toEqual([
      { field: 'title', value: 'Down' },
      { field: 'severity', value: 'high' },
    ]);
    expect(writtenFields(item('set_incident_status', { id: 'i', from: 'open', to: 'closed' }))).toEqual([
      { field: 'status', value: 'closed' },
    ]);
  });

  test('an edit that empties a value is written down as such', () => {
    expect(writtenFields(item('edit_incident', { id: 'i', changes: { commander_id: null } }))).toEqual([
      { field: 'commander_id', value: null },
    ]);
    expect(valueText(null)).toBe('nothing');
  });
});

describe('both values side by side', () => {
  const refused = (current: Record<string, unknown> | null): Pick<OutboxItem, 'state'> => ({
    state: { kind: 'refused', code: 'precondition_failed', message: '', current, atMs: 0 },
  });

  test("the server's value is shown as it is, and a missing one is not made up", () => {
    expect(valueText(currentValue(refused({ title: 'Theirs' }), 'title'))).toBe('Theirs');
    expect(valueText(currentValue(refused(null), 'title'))).toBe('not told');
    expect(valueText(currentValue({ state: { kind: 'kept' } }, 'title'))).toBe('not told');
  });
});

describe('a copy of what was written', () => {
  test('is the bare text where there is only one', () => {
    expect(writtenText(item('add_comment', { id: 'c', incidentId: 'i', comment: 'Rolled back' }))).toBe(
      'Rolled back',
    );
  });

  test('names the values where there are several', () => {
    expect(
      writtenText(item('edit_incident', { id: 'i', changes: { title: 'Down', severity: 'high' } })),
    ).toBe(`${fieldText('title')}: Down\n${fieldText('severity')}: high`);
  });
});
