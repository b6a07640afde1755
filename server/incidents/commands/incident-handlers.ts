/** Incidents (spec 3 §4). Times and history are the work of the tables' own triggers. */
import { given } from '../../../src/contract/commands/fields.ts';
import {
  createIncident,
  editIncident,
  setIncidentStatus,
} from '../../../src/contract/commands/incident-commands.ts';
import { mayBecome } from '../../../src/domain/incident/incident.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { CommandRefused } from '../../replication/commands/command-refused.ts';
import { lastChangedBy } from './entity-query.ts';
import { MESSAGES } from '../../replication/commands/messages.ts';
import { mergeEdit, requireIncident } from './require-entity.ts';

const create = handleCommand(createIncident, async (args, { writer, sender }) => {
  await writer.insert('incidents', {
    id: args.id,
    title: args.title,
    description: args.description,
    type: args.type,
    severity: args.severity,
    status: args.status,
    commander_id: args.commanderId,
    communicator_id: args.communicatorId,
    created_by: sender.personId,
  });
  await writer.insert('hypotheses', {
    id: args.rootHypothesisId,
    incident_id: args.id,
    parent_id: null,
    title: args.title,
    type: 'root',
    status: args.hypothesisStatus,
    created_by: sender.personId,
  });
});

const edit = handleCommand(editIncident, async (args, context) => {
  const row = await requireIncident(context, args.id, 'edit');
  await mergeEdit(context, { table: 'incidents', row, wanted: given(args.changes) });
});

const setStatus = handleCommand(setIncidentStatus, async ({ id, from, to }, context) => {
  const row = await requireIncident(context, id, 'edit');
  if (row.status === to) return;
  const current = { status: row.status };
  if (row.status !== from) {
    const message = MESSAGES.statusChanged(row.status, await lastChangedBy(context.tx, row));
    throw new CommandRefused('precondition_failed', message, current);
  }
  if (!mayBecome(row.status, to)) {
    throw new CommandRefused('precondition_failed', MESSAGES.transition(row.status, to), current);
  }
  await context.writer.patch('incidents', { id }, { status: to });
});

export const INCIDENT_HANDLERS: readonly CommandHandler[] = [create, edit, setStatus];
