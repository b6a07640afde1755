import { expect, test } from 'vitest';
import { refusalText } from './Refusals.tsx';

test.each([
  ['create_incident', { title: 'x' }, 'Incident creation failed'],
  ['delete_hypothesis', {}, 'Hypothesis delete failed'],
  ['delete_evidence', {}, 'Evidence delete failed'],
  [
    'edit_evidence',
    { changes: { definition_of_done: true } },
    'Marking evidence as part of definition of done failed',
  ],
  [
    'edit_evidence',
    { changes: { definition_of_done: false } },
    'Removing evidence from definition of done failed',
  ],
  ['edit_evidence', { changes: { description: 'x' } }, 'Evidence could not be saved'],
  ['edit_evidence', null, null],
  ['edit_incident', { changes: { title: 'x' } }, null],
])('a refused %s with %j says: %s', (name, args, text) => {
  expect(refusalText({ name, args })).toBe(text);
});
