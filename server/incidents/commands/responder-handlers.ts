/** Responders: a set. Who is taken off stays in the table, marked. */
import {
  addResponder,
  removeResponder,
  retryResponder,
} from '../../../src/contract/commands/responder-commands.ts';
import { retryDelivery } from '../responders/delivery-query.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { isResponder, lockResponder } from './entity-query.ts';
import { ofIncident, present, requireIncident } from './require-entity.ts';

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

const retry = handleCommand(retryResponder, async ({ id, incidentId }, context) => {
  const row = present(await lockResponder(context.tx, id, 'edit'), 'responder');
  ofIncident(row, incidentId, 'responder');
  await retryDelivery(context.tx, id, context.now);
});

export const RESPONDER_HANDLERS: readonly CommandHandler[] = [add, remove, retry];
