/** What is done to many with somebody waiting, because it is never queued: users, walls, tablets, flags, runs. */
import type { AdminAction } from '../../contract/http/admin-actions.ts';
import { cancelRun } from '../../data/commands/commands.ts';
import type { DirectStep } from '../../data/commands/one-by-one.ts';
import { administer } from '../../data/session/administration.ts';
import type { BulkKind } from '../../domain/bulk/bulk-verbs.ts';
import type { ChosenPerson, ChosenThing } from '../../ui/page/Bulk.tsx';
import type { Asked } from './bulk-parts.ts';
import { messages } from './messages.ts';

async function reasonOf(action: AdminAction): Promise<string | null> {
  const answer = await administer(action);
  return answer.ok ? null : messages.errorText(answer.error);
}

async function cancel(runId: string): Promise<string | null> {
  const answer = await cancelRun(runId);
  return answer.ok ? null : messages.errorText(answer.error);
}

const updateOf = (id: string, { isActive, ...person }: ChosenPerson) =>
  reasonOf({ name: 'update_user', id, active: isActive, ...person });

/** What becomes of a user; null for nothing of theirs. */
function changedPerson(person: ChosenPerson, asked: Asked): ChosenPerson | null {
  if (asked.do === 'role') return { ...person, role: asked.role };
  if (asked.do === 'activate' || asked.do === 'deactivate')
    return { ...person, isActive: asked.do === 'activate' };
  return null;
}

function userStep({ id, name, person }: ChosenThing, asked: Asked): DirectStep | null {
  if (asked.do === 'delete') return { name, act: () => reasonOf({ name: 'delete_user', id }), undo: null };
  const changed = person === undefined ? null : changedPerson(person, asked);
  if (person === undefined || changed === null) return null;
  return { name, act: () => updateOf(id, changed), undo: () => updateOf(id, person) };
}

type StepOf = (one: ChosenThing, asked: Asked) => DirectStep | null;

const simple =
  (act: (id: string) => Promise<string | null>): StepOf =>
  ({ id, name }) => ({ name, act: () => act(id), undo: null });

const STEPS: Readonly<Partial<Record<BulkKind, StepOf>>> = {
  users: userStep,
  walls: simple((id) => reasonOf({ name: 'revoke_wall', id })),
  tablets: simple((id) => reasonOf({ name: 'revoke_tablet', id })),
  flags: simple((key) => reasonOf({ name: 'delete_row', table: 'properties', key })),
  playbook_runs: simple(cancel),
};

/** True where nothing of that list goes through the outbox: it is offered while the server can be asked. */
export function isDirect(kind: BulkKind): boolean {
  return STEPS[kind] !== undefined;
}

/** One for each of the chosen. */
export function directSteps(kind: BulkKind, chosen: readonly ChosenThing[], asked: Asked): DirectStep[] {
  return chosen.flatMap((one) => STEPS[kind]?.(one, asked) ?? []);
}
