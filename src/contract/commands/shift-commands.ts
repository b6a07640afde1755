/** The note that whoever leaves a shift writes for who comes next. */
import { z } from 'zod';
import { defineCommand } from './define-command.ts';
import { idOf, someText } from './fields.ts';

/** Makes the note. */
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
  creates: (args) => [args.noteId],
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

/** One's own note only; the server checks whose it is. */
export const editShiftNote = defineCommand({
  name: 'edit_shift_note',
  version: 1,
  args: z.object({ noteId: idOf('shift note'), text: someText }),
  area: 'comments',
  expiresAfterMs: null,
  touches: (args) => [args.noteId],
  creates: () => [],
  precondition: ({ noteId }) => ({ collection: 'resources', id: noteId, fields: ['text'] }),
  effect: ({ noteId, text }) => [{ kind: 'set', collection: 'resources', id: noteId, fields: { text } }],
});
