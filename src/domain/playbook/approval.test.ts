import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvalPlaces, chooseApproval, isApproved, isApprover, waitsFor } from './approval.ts';
import type { ApprovalRule, Approver, GivenApproval } from './approval.ts';

const PEOPLE = ['ann', 'bob', 'eve', 'joe'];
const TEAMS = ['ops', 'dba', 'sec'];
const rules = fc.record<ApprovalRule>({
  type: fc.constantFrom('any', 'all'),
  people: fc.subarray(PEOPLE.map((name) => `${name}@example.com`)),
  teams: fc.subarray(TEAMS),
});
const person = (name: string, teams: readonly string[]): Approver => ({
  id: name,
  email: `${name}@example.com`,
  teams: teams.map((team) => ({ id: `id of ${team}`, name: team })),
});
const crowds = fc
  .tuple(...PEOPLE.map(() => fc.subarray(TEAMS)))
  .map((teams) => PEOPLE.map((name, at) => person(name, teams[at] ?? [])));

/** Everybody tries once, in order. */
function afterAllTried(rule: ApprovalRule, people: readonly Approver[]): GivenApproval[] {
  const given: GivenApproval[] = [];
  for (const approver of people) {
    const choice = chooseApproval(rule, approver, given);
    if (choice.kind === 'fills') given.push({ approver, teamId: choice.teamId });
  }
  return given;
}

describe('approving', () => {
  it('any: begins with the first approver, and never without one', () => {
    fc.assert(
      fc.property(rules, crowds, (rule, people) => {
        const given = afterAllTried({ ...rule, type: 'any' }, people);
        const isAnyListed = people.some((one) => isApprover(rule, one));
        expect(isApproved({ ...rule, type: 'any' }, given)).toBe(isAnyListed);
      }),
    );
  });

  it('all: as many different people as places, each place by somebody who may', () => {
    fc.assert(
      fc.property(rules, crowds, (rule, people) => {
        const all: ApprovalRule = { ...rule, type: 'all' };
        const given = afterAllTried(all, people);
        const givers = new Set(given.map(({ approver }) => approver?.id));
        expect(givers.size).toBe(given.length);
        if (isApproved(all, given)) expect(givers.size).toBe(approvalPlaces(all).length);
      }),
    );
  });

  it('an approval counts no longer once its giver has left the team or is gone', () => {
    const rule: ApprovalRule = { type: 'all', people: ['ann@example.com'], teams: ['ops'] };
    const ann = person('ann', []);
    const bob = person('bob', ['ops']);
    const given = (approver: Approver | null) => [
      { approver: ann, teamId: null },
      { approver, teamId: 'id of ops' },
    ];
    expect(isApproved(rule, given(bob))).toBe(true);
    expect(isApproved(rule, given(person('bob', [])))).toBe(false);
    expect(isApproved(rule, given(null))).toBe(false);
  });

  it('one person in a team and named fills one place, not two', () => {
    const rule: ApprovalRule = { type: 'all', people: ['ann@example.com'], teams: ['ops'] };
    const ann = person('ann', ['ops']);
    const given: GivenApproval[] = [{ approver: ann, teamId: null }];
    expect(chooseApproval(rule, ann, given)).toEqual({ kind: 'nothing-left' });
    expect(isApproved(rule, given)).toBe(false);
  });

  it('a rule that names nobody is never satisfied', () => {
    fc.assert(
      fc.property(fc.constantFrom('any' as const, 'all' as const), crowds, (type, people) => {
        const rule = { type, people: [], teams: [] };
        expect(isApproved(rule, afterAllTried(rule, people))).toBe(false);
      }),
    );
  });

  it('addresses and names of teams are compared without their case', () => {
    const rule: ApprovalRule = { type: 'any', people: ['Ann@Example.com'], teams: [] };
    expect(isApprover(rule, person('ann', []))).toBe(true);
    expect(isApprover(rule, { id: 'x', email: null, teams: [] })).toBe(false);
  });
});

it('a run waits for whoever is asked and was not heard, whatever a device knows of it', () => {
  const approval = { approvers: ['ann', 'bob'], approved_by: ['bob'] };
  expect(['ann', 'bob', 'eve'].filter((id) => waitsFor(approval, id))).toEqual(['ann']);
  for (const unknown of [{}, { approvers: 'ann' }, { approvers: null }])
    expect(waitsFor(unknown, 'ann')).toBe(false);
});
