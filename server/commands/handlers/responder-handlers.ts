/** Responders: a set. Who is taken off stays in the table, marked. */
import { addResponder, removeResponder } from '../../../src/contract/commands/responder-commands.ts';
import { handleCommand } from '../command-handler.ts';
import type { CommandHandler } from '../command-handler.ts';
import { isResponder, lockResponder } from '../entity-query.ts';
import { ofIncident, requireIncident } from './require-entity.ts';

const add = handleCommand(addResponder, async (args, context) => {
  const { id, incidentId, personId, teamId, type, properties } = args;
  // Alone, or two who add the same one at a time would both find nobody.
  await requireIncident(context, incidentId, 'edit');
  if (await isResponder(context.tx, { incidentId, personId, teamId })) return;
  await context.writer.insert('responders', {
    id,
    incident_id: incidentId,
    type,
    person_id: personId,
    team_id: teamId,
    properties,
    created_by: context.sender.personId,
  });
});

const remove = handleCommand(removeResponder, async ({ id, incidentId }, { tx, writer, now }) => {
  const row = await lockResponder(tx, id, 'edit');
  // What the sender wants is so already.
  if (row === null) return;
  ofIncident(row, incidentId, 'responder');
  await writer.patch('responders', { id }, { deleted_at: now.toISOString() });
});

export const RESPONDER_HANDLERS: readonly CommandHandler[] = [add, remove];
