import { describe, expect, test } from 'vitest';
import type { IncidentRecord } from '../../../../contract/collection-rows.ts';
import type { RecordOf } from '../../use-records.ts';
import { eventAuthor, eventSubject, eventText } from './event-text.ts';

const base = { incident_id: 'inc', created_by: 'ada', created_at: '2026-01-01T10:00:00Z', updated_at: '' };
const nothing = { hypothesis_id: null, evidence_id: null, responder_id: null, comment_id: null };

function history(part: Partial<RecordOf<'history'>>): RecordOf<'history'> {
  return { ...base, ...nothing, kind: 'history', id: 'h', type: 'x', description: null, ...part };
}
const comment: RecordOf<'comment'> = {
  ...base,
  kind: 'comment',
  id: 'c',
  hypothesis_id: null,
  responder_id: 'r',
  comment: 'Ask @[Bo](user:2)\nnow',
  external_created_by: null,
};
const hypothesis: RecordOf<'hypothesis'> = {
  ...base,
  kind: 'hypothesis',
  id: 'y',
  parent_id: null,
  title: 'Fibre cut',
  type: 'factor',
  status: 'likely',
};
const responder: RecordOf<'responder'> = {
  ...base,
  kind: 'responder',
  id: 'r',
  type: 'system',
  person_id: null,
  team_id: 'ops',
  external_id: null,
  properties: null,
  acknowledged: null,
  resolved: null,
  closed: null,
};
const known = (...records: IncidentRecord[]) => ({
  records: new Map(records.map((record) => [record.id, record])),
  names: new Map([
    ['ada', 'Ada'],
    ['ops', 'Operations'],
  ]),
});

test('the changelog speaks in sentences', () => {
  expect(eventText({ type: 'incident.status_updated', description: 'mitigated' })).toBe(
    'Status changed to mitigated',
  );
  expect(eventText({ type: 'hypothesis.status_updated', description: 'disproven' })).toBe(
    'Hypothesis became disproven',
  );
  expect(eventText({ type: 'from.the_future', description: 'x' })).toBe('from.the_future: x');
  expect(eventText({ type: 'constructor', description: null })).toBe('constructor');
});

test.each([
  'incident.created',
  'incident.status_updated',
  'responder.created',
  'evidence.created',
  'evidence.done_definition_added',
  'responder.commented',
  'hypothesis.created',
  'hypothesis.status_updated',
])('%s is told in words', (type) => {
  expect(eventText({ type, description: 'open' })).not.toContain(type);
});

describe('what an event is about', () => {
  test('is nothing but the incident when it names nothing else', () => {
    expect(eventSubject(history({}), known())).toBeNull();
  });

  test('is the comment, as it reads, at its place', () => {
    const row = history({ comment_id: 'c', responder_id: 'r' });
    expect(eventSubject(row, known(comment, responder))).toEqual({
      text: 'Ask @Bo now',
      href: '/incidents/inc?panel=changelog&comment=c',
    });
  });

  test('is the hypothesis by its title, and the responder by the name of the team', () => {
    expect(eventSubject(history({ hypothesis_id: 'y' }), known(hypothesis))).toEqual({
      text: 'Fibre cut',
      href: '/incidents/inc?tab=plan&panel=changelog',
    });
    expect(eventSubject(history({ responder_id: 'r' }), known(responder))).toEqual({
      text: 'Operations',
      href: '/incidents/inc',
    });
  });

  test('is said to be gone when it is, without a link', () => {
    expect(eventSubject(history({ responder_id: 'r' }), known())).toEqual({
      text: 'somebody who no longer responds',
      href: null,
    });
  });

  test('is no longer than a line', () => {
    const long = { ...hypothesis, title: 'x'.repeat(500) };
    expect(eventSubject(history({ hypothesis_id: 'y' }), known(long))?.text).toHaveLength(160);
  });
});

test('a comment from outside was made by its writer there, the rest by whom the row names', () => {
  const outside = { ...comment, external_created_by: 'jane@jira' };
  expect(eventAuthor(history({ comment_id: 'c' }), known(outside))).toBe('jane@jira');
  expect(eventAuthor(history({ comment_id: 'c' }), known(comment))).toBe('Ada');
  expect(eventAuthor(history({ created_by: 'nobody' }), known())).toBeNull();
});
