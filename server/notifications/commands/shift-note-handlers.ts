/** Notes for the next shift: each belongs to who wrote it. */
import { editShiftNote, saveShiftNote } from '../../../src/contract/commands/shift-commands.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandHandler } from '../../replication/commands/command-handler.ts';
import { CommandRefused } from '../../replication/commands/command-refused.ts';
import { conflictingFields } from '../../replication/commands/merge-fields.ts';
import { MESSAGES } from '../../replication/commands/messages.ts';
import { editNote, lockNote, saveNote } from './shift-note-query.ts';

const save = handleCommand(
  saveShiftNote,
  async ({ noteId: id, text, shiftFrom }, { tx, writer, sender, now }) => {
    const saved = await saveNote(tx, { id, text, shiftFrom, personId: sender.personId, now });
    if (saved === 0) throw new CommandRefused('forbidden', MESSAGES.notYourNote);
    writer.wrote('shift_notes');
  },
);

const edit = handleCommand(editShiftNote, async ({ noteId: id, text }, { tx, writer, sender, basedOn }) => {
  const note = await lockNote(tx, id);
  if (note === null) throw new CommandRefused('gone', MESSAGES.gone('hand-over note'));
  if (note.created_by !== sender.personId) throw new CommandRefused('forbidden', MESSAGES.notYourNote);
  // Its author may have changed it on another device, too.
  const conflicts = conflictingFields({ current: { text: note.text }, wanted: { text }, basedOn });
  if (conflicts.length > 0) {
    const message = MESSAGES.changedMeanwhile(conflicts, null);
    throw new CommandRefused('precondition_failed', message, { text: note.text });
  }
  await editNote(tx, { id, text });
  writer.wrote('shift_notes');
});

export const SHIFT_NOTE_HANDLERS: readonly CommandHandler[] = [save, edit];
