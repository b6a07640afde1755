/** Silences that people make, and messages that they have sent again. */
import { createSilence, retryNotification } from '../../../src/contract/commands/notification-commands.ts';
import { CommandRefused } from '../../replication/commands/command-refused.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { retryDelivery } from '../delivery/delivery-query.ts';
import { saveSilence, SilenceRefused } from '../silences/save-silence.ts';
import { REFUSALS } from '../silences/refusals.ts';

const silence = handleCommand(createSilence, async ({ silenceId, from, until, ...parts }, context) => {
  const { tx, writer, sender, now } = context;
  const untilAt = new Date(until);
  // One that was kept on the device until it was over would only look as if it had silenced something.
  if (untilAt <= now) throw new CommandRefused('expired', REFUSALS.silenceIsOver);
  try {
    await saveSilence(tx, {
      id: silenceId,
      parts,
      fromAt: new Date(from),
      untilAt,
      createdBy: sender.personId,
    });
  } catch (error) {
    if (!(error instanceof SilenceRefused)) throw error;
    throw new CommandRefused(error.isGone ? 'gone' : 'invalid', error.message);
  }
  writer.wrote('notification_silences');
});

const retry = handleCommand(retryNotification, async ({ historyId }, { tx, writer, now }) => {
  if ((await retryDelivery(tx, historyId, now)) === null)
    throw new CommandRefused('precondition_failed', REFUSALS.notFailed);
  for (const table of ['notification_deliveries', 'notification_send_history']) writer.wrote(table);
});

export const NOTIFICATION_HANDLERS: readonly CommandHandler[] = [silence, retry];
