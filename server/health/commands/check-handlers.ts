/** Runs of checks: the transaction only promises one; it happens after the commit. */
import { runCheck } from '../../../src/contract/commands/check-commands.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { CommandRefused } from '../../replication/commands/command-refused.ts';
import { insertEffect } from '../../replication/commands/effects-query.ts';
import { MESSAGES } from '../../replication/commands/messages.ts';
import { isLiveCheck } from './live-check-query.ts';

const run = handleCommand(runCheck, async (args, { tx, sender, commandId, expiresAt }) => {
  if (!(await isLiveCheck(tx, args.checkId))) throw new CommandRefused('gone', MESSAGES.gone('check'));
  if (expiresAt === null) throw new CommandRefused('invalid', MESSAGES.noExpiry);
  await insertEffect(tx, { commandId, name: runCheck.name, args, personId: sender.personId, expiresAt });
});

export const CHECK_HANDLERS: readonly CommandHandler[] = [run];
