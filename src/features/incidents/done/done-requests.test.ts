import { expect, test } from 'vitest';
import { parseCommand } from '../../../contract/commands/all-commands.ts';
import { draftRequest, joinRequest, manualRequest } from './done-requests.ts';

const INCIDENT = '11111111-1111-4111-8111-111111111111';
const EVIDENCE = '22222222-2222-4222-8222-222222222222';
const PLACE = {
  incidentId: INCIDENT,
  hypothesisId: '33333333-3333-4333-8333-333333333333',
  newId: () => '44444444-4444-4444-8444-444444444444',
};
const SCRIPTS = { check: ' check.status == "healthy" ', log: ' ', comment: 'true' };

test('an evidence of the incident joins with the script of its type', () => {
  expect(joinRequest(INCIDENT, { id: EVIDENCE, type: 'check' }, SCRIPTS)).toEqual({
    name: 'edit_evidence',
    args: {
      id: EVIDENCE,
      incidentId: INCIDENT,
      changes: { definition_of_done: true, script: 'check.status == "healthy"' },
    },
  });
});

test('what has no script, and every comment, is left to a person', () => {
  for (const type of ['log', 'comment', 'config'])
    expect(joinRequest(INCIDENT, { id: EVIDENCE, type }, SCRIPTS)).toMatchObject({
      args: { changes: { script: null } },
    });
});

test('new evidence comes with its subject and what it showed', () => {
  const draft = { type: 'check', description: 'api', check_id: EVIDENCE, evidence: { status: 'x' } } as const;
  const request = draftRequest(draft, PLACE, SCRIPTS);
  expect(parseCommand(request).args).toMatchObject({
    type: 'check',
    check_id: EVIDENCE,
    definition_of_done: true,
    script: 'check.status == "healthy"',
    evidence: { status: 'x' },
    done: null,
  });
});

test('what is done by hand is a comment that says whether it is done', () => {
  const request = manualRequest({ description: 'Tell the customer', isDone: false }, PLACE);
  expect(parseCommand(request).args).toMatchObject({
    type: 'comment',
    description: 'Tell the customer',
    definition_of_done: true,
    done: false,
    script: null,
  });
});
