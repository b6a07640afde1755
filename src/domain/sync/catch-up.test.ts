import { describe, expect, test } from 'vitest';
import { catchUpOf, isQuiet, type CatchUpState } from './catch-up.ts';

const incident = (status: string, over: { createdBy?: string; commanderId?: string } = {}) => ({
  incidentId: 'INC-1',
  title: 'Down',
  status,
  createdBy: over.createdBy ?? 'someone',
  commanderId: over.commanderId ?? null,
});
const state = (over: Partial<CatchUpState> = {}): CatchUpState => ({
  checks: new Map(),
  incidents: new Map(),
  comments: new Map(),
  ...over,
});
const checks = (...list: [string, string | null][]) =>
  new Map(list.map(([id, status]) => [id, { name: id, status }]));

describe('the catch-up', () => {
  test('names checks that turned red, and those that turned green again', () => {
    const before = state({ checks: checks(['a', 'healthy'], ['b', 'unhealthy'], ['c', 'unhealthy']) });
    const after = state({
      checks: checks(['a', 'unhealthy'], ['b', 'unhealthy'], ['c', 'healthy'], ['d', 'unhealthy']),
    });
    const card = catchUpOf(before, after, 'me');
    expect(card.newlyUnhealthy.map(({ id }) => id)).toEqual(['a', 'd']);
    expect(card.recovered.map(({ id }) => id)).toEqual(['c']);
  });

  test.each([
    [undefined, 'open', 'opened'],
    ['open', 'mitigated', 'mitigated'],
    ['mitigated', 'resolved', 'resolved'],
    ['open', 'closed', 'closed'],
    ['closed', 'open', 'reopened'],
    ['open', 'investigating', null],
    ['open', 'open', null],
  ])('an incident that went from %s to %s is told as %s', (was, is, change) => {
    const before = was === undefined ? state() : state({ incidents: new Map([['i', incident(was)]]) });
    const after = state({ incidents: new Map([['i', incident(is)]]) });
    expect(catchUpOf(before, after, 'me').incidents.map((one) => one.change)).toEqual(
      change === null ? [] : [change],
    );
  });

  test('comments count when they mention me or are on my incident, and are not mine', () => {
    const comment = (incidentId: string, by: string, text: string) => ({ incidentId, by, text });
    const after = state({
      incidents: new Map([
        ['mine', incident('open', { createdBy: 'me' })],
        ['led', incident('open', { commanderId: 'me' })],
        ['other', incident('open')],
      ]),
      comments: new Map([
        ['1', comment('other', 'you', 'look @[Me](user:me)')],
        ['2', comment('mine', 'you', 'hello')],
        ['3', comment('led', 'you', 'hello')],
        ['4', comment('other', 'you', 'hello')],
        ['5', comment('mine', 'me', 'my own')],
      ]),
    });
    expect(catchUpOf(state(), after, 'me').comments.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  test('without differences there is nothing to tell', () => {
    const same = state({ checks: checks(['a', 'unhealthy']), incidents: new Map([['i', incident('open')]]) });
    expect(isQuiet(catchUpOf(same, same, 'me'))).toBe(true);
  });
});
