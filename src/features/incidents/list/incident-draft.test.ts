import { expect, test } from 'vitest';
import { EMPTY_DRAFT, parseDraft } from './incident-draft.ts';

test('a draft comes back as it was kept', () => {
  const draft = { ...EMPTY_DRAFT, title: 'Queue grows', severity: 'high', commanderId: 'ada' };
  expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
});

test('what is no draft is none, and what it lacks is the default', () => {
  expect([null, '', '{', '7', 'null'].map(parseDraft)).toEqual([null, null, null, null, null]);
  expect(parseDraft('{"title":"Down","type":5}')).toEqual({ ...EMPTY_DRAFT, title: 'Down' });
});
