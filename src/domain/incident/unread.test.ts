import { describe, expect, test } from 'vitest';
import { unreadOf, type IncidentFacts, type RecordFacts } from './unread.ts';

const [ME, ADA, BO] = ['me', 'ada', 'bo'];
const NOW = Date.parse('2026-11-21T12:00:00Z');
const at = (minute: number) => new Date(NOW - 3_600_000 + minute * 60_000).toISOString();

function incident(part: Partial<IncidentFacts> = {}): IncidentFacts {
  return {
    id: 'i1',
    incident_id: 'INC-1',
    title: 'Disk full',
    created_by: ADA,
    commander_id: null,
    communicator_id: null,
    ...part,
  };
}

let count = 0;
const base = (minute: number, by: string | null) => {
  count += 1;
  return { id: `r${count}`, incident_id: 'i1', created_by: by, created_at: at(minute) };
};
const comment = (minute: number, by: string, text = 'hello'): RecordFacts => ({
  ...base(minute, by),
  kind: 'comment',
  comment: text,
});
const status = (minute: number, by: string): RecordFacts => ({
  ...base(minute, by),
  kind: 'history',
  type: 'incident.status_updated',
  description: 'mitigated',
});
const read = (minute: number, by: string): RecordFacts => ({
  ...base(minute, by),
  kind: 'read',
  person_id: by,
  read_at: at(minute),
});
const responder = (
  minute: number,
  who: { person_id?: string; team_id?: string },
  by: string = ADA,
): RecordFacts => ({
  ...base(minute, by),
  kind: 'responder',
  person_id: null,
  team_id: null,
  ...who,
});

function ask(records: readonly RecordFacts[], incidents: readonly IncidentFacts[] = [incident()]) {
  return unreadOf({ userId: ME, teamIds: new Set(['t1']), incidents, records, nowMs: NOW });
}

describe('an incident concerns', () => {
  test.each([
    ['who made it', { created_by: ME }],
    ['who leads it', { commander_id: ME }],
    ['who speaks for it', { communicator_id: ME }],
  ])('%s', (_, part) => {
    expect(ask([comment(1, BO)], [incident(part)]).total).toBe(1);
  });

  test.each([
    ['who was called to help', responder(0, { person_id: ME }), 2],
    ['who is in a team that was called', responder(0, { team_id: 't1' }), 2],
    ['who wrote in it', comment(0, ME), 1],
    ['who was mentioned in it', comment(0, ADA, 'ask @[Me](user:me)'), 2],
  ])('%s', (_, record, total) => {
    expect(ask([record, comment(1, BO)]).total).toBe(total);
  });

  test('nobody else', () => {
    const others = [
      comment(1, BO),
      responder(1, { person_id: BO }),
      responder(1, { team_id: 't2' }),
      comment(2, BO, 'ask @[Ada](user:ada)'),
    ];
    expect(ask(others)).toEqual({ total: 0, incidents: [], news: [] });
  });
});

describe('news', () => {
  const mine = [incident({ created_by: ME })];

  test('is what came after the moment up to which the person has read', () => {
    const found = ask([comment(1, BO), read(2, ME), comment(3, BO), status(4, BO)], mine);
    expect(found.incidents).toEqual([{ id: 'i1', count: 2, newestAt: at(4) }]);
    expect(found.news.map(({ kind, isUnread }) => [kind, isUnread])).toEqual([
      ['status', true],
      ['comment', true],
      ['comment', false],
    ]);
  });

  test("is not one's own writing, and who wrote has read what came before", () => {
    expect(ask([comment(1, BO), comment(2, ME), status(2, ME)], mine).total).toBe(0);
    expect(ask([comment(1, BO), comment(2, ME), comment(3, BO)], mine).total).toBe(1);
  });

  test("is not read because somebody else has read it, nor by one's older mark", () => {
    expect(ask([comment(5, BO), read(9, BO)], mine).total).toBe(1);
    expect(ask([comment(5, BO), read(6, ME), read(3, ME)], mine).total).toBe(0);
  });

  test('is not being called by oneself', () => {
    expect(ask([responder(1, { person_id: ME }, ME)])).toMatchObject({ total: 0, news: [] });
  });

  test('counts as read after a month, and is still listed', () => {
    const old = comment(-32 * 24 * 60, BO);
    expect(ask([old], mine)).toMatchObject({ total: 0, news: [{ isUnread: false }] });
  });

  test('names a mention as such, as plain text', () => {
    const [first] = ask([comment(1, ADA, 'ask @[Me](user:me) please')]).news;
    expect(first).toMatchObject({
      kind: 'mention',
      text: 'ask @Me please',
      number: 'INC-1',
      byId: ADA,
    });
  });

  test('lists unread before read, each newest first, and no more than fit', () => {
    const two = [incident({ created_by: ME }), incident({ id: 'i2', created_by: ME })];
    const newer = { ...comment(30, BO), incident_id: 'i2' };
    const mark = { ...read(31, ME), incident_id: 'i2' };
    const found = ask([comment(1, BO), comment(2, BO), newer, mark], two);
    expect(found.news.map((one) => [one.incidentId, one.at])).toEqual([
      ['i1', at(2)],
      ['i1', at(1)],
      ['i2', at(30)],
    ]);
    const many = ask(
      Array.from({ length: 150 }, (_, minute) => comment(minute / 10, BO)),
      mine,
    );
    expect(many.total).toBe(150);
    expect(many.news.map((one) => one.at)).toEqual(
      Array.from({ length: 100 }, (_, place) => at((149 - place) / 10)),
    );
  });
});
