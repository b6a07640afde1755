/** Where an action runs: here, or at the agent that its `runsOn` names. */
import type { Queryable } from '../../platform/db/database.ts';
import { readNamedAgents } from './handed-query.ts';
import type { NamedAgent } from './handed-query.ts';
import type { ActionEnd, ActionRow } from './run-query.ts';
import { TIMED_OUT } from './next-action.ts';

/** How specifications call this server. */
export const LOCAL = 'local';

/**
 * Null for this server. Of several agents the first one that is online does it, the first one where none is. An end
 * where there is no agent of these names.
 */
export async function placeOfAction(
  db: Queryable,
  { names, now }: { names: readonly string[]; now: Date },
): Promise<{ agent: NamedAgent | null } | { end: ActionEnd }> {
  const wanted = names.map((name) => name.trim()).filter((name) => name !== '');
  if (wanted.length === 0 || wanted.includes(LOCAL)) return { agent: null };
  const known = await readNamedAgents(db, { names: wanted, now });
  const ordered = wanted.flatMap(
    (name) => known.find((agent) => [agent.name, agent.id].includes(name)) ?? [],
  );
  const agent = ordered.find(({ is_online: isOnline }) => isOnline) ?? ordered[0];
  if (agent !== undefined) return { agent };
  const list = wanted.map((name) => `"${name}"`).join(', ');
  const error = `runsOn: there is no agent ${list}; "${LOCAL}" runs the action here`;
  return { end: { status: 'failed', error, result: {} } };
}

/** The end of an action whose agent has said nothing for too long. */
export function silentEnd({ agent, status }: ActionRow): Omit<ActionEnd, 'status'> {
  const name = `"${agent?.name ?? ''}"`;
  const heard =
    agent?.last_seen === null || agent === null ? 'was never heard' : `was heard last at ${agent.last_seen}`;
  const error =
    status === 'waiting'
      ? `The agent ${name} did not take this within its time; it ${heard}. It was not run.`
      : `The agent ${name} took this and did not say within its time how it ended; it ${heard}. It may have had its effect; it is not run again by itself.`;
  return { error, result: { [TIMED_OUT]: true } };
}
