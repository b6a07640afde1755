/** Acknowledging and snoozing: what the sender wants is so already when the thing is well, or the time is over. */
import { acknowledge, endAcknowledgement } from '../../../src/contract/commands/acknowledge-commands.ts';
import { LONGEST_SNOOZE_MS } from '../../../src/domain/notification/acknowledgement.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { CommandRefused } from '../../replication/commands/command-refused.ts';
import { MESSAGES } from '../../replication/commands/messages.ts';
import { insertAcknowledgement, noteActed, stateOf, takeBack } from './acknowledge-query.ts';

const take = handleCommand(acknowledge, async (args, { tx, writer, sender, now }) => {
  const { id, kind, resourceId, until, messageId } = args;
  const { personId } = sender;
  const untilMs = until === null ? null : Date.parse(until);
  if (untilMs !== null && untilMs - now.getTime() > LONGEST_SNOOZE_MS)
    throw new CommandRefused('invalid', MESSAGES.snoozeTooLong);
  if (messageId !== null)
    await noteActed(tx, { messageId, personId, action: until === null ? 'acknowledge' : 'snooze' });
  const state = await stateOf(tx, kind, resourceId);
  if (state === null) throw new CommandRefused('gone', MESSAGES.gone(kind));
  if (state === 'well' || (untilMs !== null && untilMs <= now.getTime())) return;
  // What nobody has seen yet is not known by an older tap; a snooze holds through everything.
  if (state === 'again' && untilMs === null)
    throw new CommandRefused('precondition_failed', MESSAGES.failedAgain);
  await insertAcknowledgement(tx, { id, kind, resourceId, personId, until });
  writer.wrote('acknowledgements');
});

const end = handleCommand(endAcknowledgement, async ({ id, resourceId }, { tx, writer }) => {
  if ((await takeBack(tx, { id, resourceId })) > 0) writer.wrote('acknowledgements');
});

export const ACKNOWLEDGE_HANDLERS: readonly CommandHandler[] = [take, end];
