/** The note that whoever leaves a shift writes for who comes next. */
import { z } from 'zod';
import { defineCommand } from './define-command.ts';
import { idOf, someText } from './fields.ts';

/** Makes the note, or writes one's own again. */
export const saveShiftNote = defineCommand({
  name: 'save_shift_note',
  version: 1,
  args: z.object({
    noteId: idOf('shift note'),
    text: someText,
    /** Since when the shift that it tells of lasted. */
    shiftFrom: z.iso.datetime({ offset: true }),
  }),
  area: 'comments',
  expiresAfterMs: null,
  touches: (args) => [args.noteId],
  creates: () => [],
  precondition: () => null,
  effect: ({ noteId, text, shiftFrom }, { userId, at }) => [
    {
      kind: 'put',
      collection: 'resources',
      row: {
        id: noteId,
        kind: 'shift_note',
        text,
        shift_from: shiftFrom,
        created_by: userId,
        created_at: at,
        updated_at: at,
      },
    },
  ],
});
