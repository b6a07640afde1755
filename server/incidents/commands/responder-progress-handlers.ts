/** Progress of responders: told by those whom it is about, with the server's time (spec 3 §4). */
import { setResponderProgress } from '../../../src/contract/commands/responder-progress-command.ts';
import { mayTellProgress } from '../../../src/domain/incident/responder-progress.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { CommandRefused } from '../../replication/commands/command-refused.ts';
import { MESSAGES } from '../../replication/commands/messages.ts';
import { lockProgress, membersOf } from './responder-query.ts';
import { ofIncident, present } from './require-entity.ts';

const setProgress = handleCommand(setResponderProgress, async (args, { tx, sender, writer, now }) => {
  const { id, incidentId, step, isSet } = args;
  const row = ofIncident(present(await lockProgress(tx, id), 'responder'), incidentId, 'responder');
  const subject = {
    personId: row.person_id,
    memberIds: await membersOf(tx, row.team_id),
    commanderId: row.commander_id,
  };
  if (!mayTellProgress({ id: sender.personId, roles: sender.roles }, subject)) {
    throw new CommandRefused('forbidden', MESSAGES.notYourProgress);
  }
  // What the sender wants is so already; the first time counts.
  if ((row[step] !== null) === isSet) return;
  await writer.patch('responders', { id }, { [step]: isSet ? now.toISOString() : null });
});

export const RESPONDER_PROGRESS_HANDLERS: readonly CommandHandler[] = [setProgress];
