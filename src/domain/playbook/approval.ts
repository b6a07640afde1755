/**
 * Who may let a run of a playbook begin, and when enough have (schema §7.4). The rule is that of the specification the
 * run was asked with. Each listed person and each listed team is a place; an approval fills one, in the name of one
 * person, and a person fills one place of a run: with `all`, as many different people as there are places.
 */
export interface ApprovalRule {
  type: 'any' | 'all';
  /** E-mail addresses, compared without their case. */
  people: readonly string[];
  /** Names or ids. */
  teams: readonly string[];
}

export interface Approver {
  id: string;
  email: string | null;
  /** Teams that the person is a member of now. */
  teams: readonly { id: string; name: string }[];
}

/** The place that an approval fills, as the specification writes it. */
export interface ApprovalPlace {
  kind: 'person' | 'team';
  name: string;
}

/** An approval that was given; its giver as he is now, null when he is gone. */
export interface GivenApproval {
  approver: Approver | null;
  /** The team in whose name; null for one's own. */
  teamId: string | null;
}

const sameText = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The rule's places, each once, people first. */
export function approvalPlaces({ people, teams }: ApprovalRule): ApprovalPlace[] {
  const places: ApprovalPlace[] = [];
  const add = (kind: ApprovalPlace['kind'], name: string) => {
    if (!places.some((place) => place.kind === kind && sameText(place.name, name)))
      places.push({ kind, name });
  };
  for (const name of people) add('person', name);
  for (const name of teams) add('team', name);
  return places;
}

const teamAt = ({ kind, name }: ApprovalPlace, { teams }: Approver) =>
  kind === 'team' ? teams.find((team) => team.id === name || sameText(team.name, name)) : undefined;

const isOwn = ({ kind, name }: ApprovalPlace, { email }: Approver): boolean =>
  kind === 'person' && email !== null && sameText(email, name);

const mayFill = (place: ApprovalPlace, approver: Approver): boolean =>
  isOwn(place, approver) || teamAt(place, approver) !== undefined;

/** Whether the person is an approver by name or by a team. */
export function isApprover(rule: ApprovalRule, approver: Approver): boolean {
  return approvalPlaces(rule).some((place) => mayFill(place, approver));
}

function placeOf(rule: ApprovalRule, { approver, teamId }: GivenApproval): ApprovalPlace | null {
  if (approver === null) return null;
  const found = approvalPlaces(rule).find((place) =>
    teamId === null ? isOwn(place, approver) : teamAt(place, approver)?.id === teamId,
  );
  return found ?? null;
}

/** Places that are filled by people who may still fill them. */
export function filledPlaces(rule: ApprovalRule, given: readonly GivenApproval[]): ApprovalPlace[] {
  const seen = new Set<string>();
  const filled: ApprovalPlace[] = [];
  for (const one of given) {
    const place = placeOf(rule, one);
    if (place === null || one.approver === null || seen.has(one.approver.id)) continue;
    seen.add(one.approver.id);
    if (!filled.some(({ kind, name }) => kind === place.kind && name === place.name)) filled.push(place);
  }
  return filled;
}

/** True once the run may begin. A rule that names nobody is never satisfied. */
export function isApproved(rule: ApprovalRule, given: readonly GivenApproval[]): boolean {
  const filled = filledPlaces(rule, given).length;
  return rule.type === 'any' ? filled > 0 : filled > 0 && filled === approvalPlaces(rule).length;
}

export type ApprovalChoice =
  /** In the person's own name, or that of a team. */
  | { kind: 'fills'; teamId: string | null }
  /** The person has approved already, or every place that is open to him is filled. */
  | { kind: 'nothing-left' }
  | { kind: 'not-an-approver' };

/** What the person's approval counts for: his own name first, then the first of his teams that nobody spoke for. */
export function chooseApproval(
  rule: ApprovalRule,
  approver: Approver,
  given: readonly GivenApproval[],
): ApprovalChoice {
  if (!isApprover(rule, approver)) return { kind: 'not-an-approver' };
  const filled = filledPlaces(rule, given);
  const own = given.find((one) => one.approver?.id === approver.id && placeOf(rule, one) !== null);
  const place = approvalPlaces(rule).find(
    (one) =>
      mayFill(one, approver) && !filled.some(({ kind, name }) => kind === one.kind && name === one.name),
  );
  if (own !== undefined || place === undefined) return { kind: 'nothing-left' };
  return { kind: 'fills', teamId: teamAt(place, approver)?.id ?? null };
}

/** As a device knows it of a run that waits: ids of who may approve it, and of who has. */
export interface WaitingApproval {
  approvers?: unknown;
  approved_by?: unknown;
}

const lists = (ids: unknown, id: string): boolean => Array.isArray(ids) && ids.includes(id);

/** Whether a run waits for this person: asked, and not heard yet. */
export function waitsFor({ approvers, approved_by: given }: WaitingApproval, personId: string): boolean {
  return lists(approvers, personId) && !lists(given, personId);
}
