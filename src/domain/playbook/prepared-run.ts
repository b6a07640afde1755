/**
 * A run that was prepared while there was no server (design §4 law 9): what it is, how things were then, and what has
 * changed since. It is never sent by itself; somebody runs it, or drops it.
 */
import { z } from 'zod';

/** The name that it has in the outbox. No command has it, so that nothing can send it. */
export const PREPARED_RUN = 'run_playbook';

export const preparedRunSchema = z.object({
  playbookId: z.string(),
  /** As it was called then, and when it was changed last. */
  playbook: z.string(),
  playbookUpdatedAt: z.string().nullable(),
  resource: z
    .object({ kind: z.enum(['config', 'component', 'check']), id: z.string(), name: z.string() })
    .nullable(),
  /** How the resource was; null where it wasn't known. */
  health: z.string().nullable(),
  /** Without what was typed as a password: that is asked for again. */
  params: z.record(z.string(), z.string()),
  /** The agent that it is asked for; this server, unless given. */
  agentId: z.string().optional(),
});
export type PreparedRun = z.output<typeof preparedRunSchema>;

export interface Present {
  /** Null: it was deleted, or this user may not see it any more. */
  playbook: { updatedAt: string | null } | null;
  /** Undefined where the run is about nothing; null for one that is gone. */
  resource: { health: string | null } | null | undefined;
  /** Runs of the playbook, on the same resource where there is one, since it was prepared. */
  runsSince: number;
}

export type Difference =
  | { kind: 'playbook-gone' }
  | { kind: 'playbook-edited' }
  | { kind: 'resource-gone' }
  | { kind: 'health'; before: string | null; now: string | null }
  | { kind: 'runs'; count: number };

function isLater(now: string | null, then: string | null): boolean {
  return now !== null && (then === null || Date.parse(now) > Date.parse(then));
}

/** What is otherwise than it was when the run was prepared, the gravest first. */
export function differencesSince(prepared: PreparedRun, present: Present): Difference[] {
  const found: Difference[] = [];
  if (present.playbook === null) found.push({ kind: 'playbook-gone' });
  else if (isLater(present.playbook.updatedAt, prepared.playbookUpdatedAt))
    found.push({ kind: 'playbook-edited' });
  if (present.resource === null) found.push({ kind: 'resource-gone' });
  else if (present.resource !== undefined && present.resource.health !== prepared.health)
    found.push({ kind: 'health', before: prepared.health, now: present.resource.health });
  if (present.runsSince > 0) found.push({ kind: 'runs', count: present.runsSince });
  return found;
}

/** What is said of a prepared run, and whether it may be run now. */
export type Review =
  | { kind: 'checking' }
  | { kind: 'known'; differences: readonly Difference[]; isCurrent: boolean };

/**
 * `differences` null: not looked up yet. Where the server can be reached nothing is claimed before this device has caught up
 * with it; where it can't, what is known here is all that there is.
 */
export function reviewOf(connection: string, differences: readonly Difference[] | null): Review {
  if (differences === null || connection === 'connecting') return { kind: 'checking' };
  return { kind: 'known', differences, isCurrent: connection === 'live' || connection === 'polling' };
}
