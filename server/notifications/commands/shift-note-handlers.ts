/** Notes for the next shift: each belongs to who wrote it. */
import { saveShiftNote } from '../../../src/contract/commands/shift-commands.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { CommandRefused } from '../../replication/commands/command-refused.ts';
import { MESSAGES } from '../../replication/commands/messages.ts';
import { saveNote } from './shift-note-query.ts';

const save = handleCommand(
  saveShiftNote,
  async ({ noteId: id, text, shiftFrom }, { tx, writer, sender, now }) => {
    const saved = await saveNote(tx, { id, text, shiftFrom, personId: sender.personId, now });
    if (saved === 0) throw new CommandRefused('forbidden', MESSAGES.notYourNote);
    writer.wrote('shift_notes');
  },
);

export const SHIFT_NOTE_HANDLERS: readonly CommandHandler[] = [save];
