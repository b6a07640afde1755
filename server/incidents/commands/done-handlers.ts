/** Definitions of done: the transaction only wakes who evaluates them, a second later (server/incidents). */
import { evaluateDone } from '../../../src/contract/commands/done-commands.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { wakeIncident } from './entity-query.ts';
import { requireIncident } from './require-entity.ts';

const evaluate = handleCommand(evaluateDone, async ({ incidentId }, context) => {
  await requireIncident(context, incidentId, 'reference');
  await wakeIncident(context.tx, incidentId);
});

export const DONE_HANDLERS: readonly CommandHandler[] = [evaluate];
