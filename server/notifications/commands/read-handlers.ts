/** Read marks: everybody who may read incidents keeps their own. What is gone needs no mark. */
import { markIncidentRead } from '../../../src/contract/commands/read-commands.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { moveReadMark } from './read-mark-query.ts';

const mark = handleCommand(markIncidentRead, async ({ id, incidentId, readAt }, { tx, writer, sender }) => {
  const moved = await moveReadMark(tx, { id, incidentId, readAt, personId: sender.personId });
  if (moved > 0) writer.wrote('incident_reads');
});

export const READ_HANDLERS: readonly CommandHandler[] = [mark];
