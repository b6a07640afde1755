/** Steps that the handlers share: what a command needs must be there, and an edit must still fit. */
import type { CommandContext } from '../../replication/commands/command-handler.ts';
import { CommandRefused } from '../../replication/commands/command-refused.ts';
import { lastChangedBy, lockHypothesis, lockIncident } from './entity-query.ts';
import type { HypothesisEntity, IncidentEntity, LockMode, RecordEntity } from './entity-query.ts';
import { conflictingFields, missingFields } from '../../replication/commands/merge-fields.ts';
import { MESSAGES } from '../../replication/commands/messages.ts';

/** The row, or `gone`. */
export function present<Row>(row: Row | null, what: string): Row {
  if (row === null) throw new CommandRefused('gone', MESSAGES.gone(what));
  return row;
}

/** The row, which must belong to the incident that the command names. */
export function ofIncident<Row extends RecordEntity>(row: Row, incidentId: string, what: string): Row {
  if (row.incident_id === incidentId.toLowerCase()) return row;
  throw new CommandRefused('invalid', MESSAGES.otherIncident(what));
}

/** Refuses the command when the incident is gone. */
export async function requireIncident(
  { tx }: CommandContext,
  id: string,
  mode: LockMode,
): Promise<IncidentEntity> {
  return present(await lockIncident(tx, id, mode), 'incident');
}

interface HypothesisNeed {
  id: string;
  incidentId: string;
  mode: LockMode;
}

/** Refuses when it is gone or belongs to another incident. */
export async function requireHypothesis(
  { tx }: CommandContext,
  { id, incidentId, mode }: HypothesisNeed,
): Promise<HypothesisEntity> {
  return ofIncident(present(await lockHypothesis(tx, id, mode), 'hypothesis'), incidentId, 'hypothesis');
}

export interface Edit {
  table: string;
  row: { id: string; updated_at: string } & Record<string, unknown>;
  wanted: Readonly<Record<string, unknown>>;
}

/** Writes the fields that differ, or refuses with the values that somebody else gave them meanwhile. */
export async function mergeEdit(context: CommandContext, { table, row, wanted }: Edit): Promise<void> {
  const conflicts = conflictingFields({ current: row, wanted, basedOn: context.basedOn });
  if (conflicts.length > 0) {
    const by = await lastChangedBy(context.tx, row);
    const current = Object.fromEntries(conflicts.map((name) => [name, row[name] ?? null]));
    throw new CommandRefused('precondition_failed', MESSAGES.changedMeanwhile(conflicts, by), current);
  }
  const fields = missingFields({ current: row, wanted });
  if (Object.keys(fields).length > 0) await context.writer.patch(table, { id: row.id }, fields);
}
