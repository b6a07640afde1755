/** Commands on comments: they append, so two writers never conflict (law 7). */
import { z } from 'zod';
import { defineCommand } from './define-command.ts';
import { idOf, optionalId, someText } from './fields.ts';

export const addComment = defineCommand({
  name: 'add_comment',
  version: 1,
  args: z.object({
    id: idOf('comment'),
    incidentId: idOf('incident'),
    hypothesisId: optionalId,
    responderId: optionalId,
    /** Mentions as `@[display](user:id)` (spec 3 §2). */
    comment: someText,
  }),
  area: 'comments',
  expiresAfterMs: null,
  touches: (args) => [args.incidentId, args.id, ...(args.hypothesisId === null ? [] : [args.hypothesisId])],
  creates: (args) => [args.id],
  precondition: () => null,
  effect: (args, { userId, at }) => [
    {
      kind: 'put',
      collection: 'incident_records',
      row: {
        id: args.id,
        kind: 'comment',
        incident_id: args.incidentId,
        hypothesis_id: args.hypothesisId,
        responder_id: args.responderId,
        comment: args.comment,
        external_created_by: null,
        created_by: userId,
        created_at: at,
        updated_at: at,
      },
    },
  ],
});

/** One's own comment only; the server checks whose it is. */
export const editComment = defineCommand({
  name: 'edit_comment',
  version: 1,
  args: z.object({ id: idOf('comment'), incidentId: idOf('incident'), comment: someText }),
  area: 'comments',
  expiresAfterMs: null,
  touches: (args) => [args.incidentId, args.id],
  creates: () => [],
  precondition: (args) => ({ collection: 'incident_records', id: args.id, fields: ['comment'] }),
  effect: (args) => [
    { kind: 'set', collection: 'incident_records', id: args.id, fields: { comment: args.comment } },
  ],
});

export const deleteComment = defineCommand({
  name: 'delete_comment',
  version: 1,
  args: z.object({ id: idOf('comment'), incidentId: idOf('incident') }),
  area: 'comments',
  expiresAfterMs: null,
  touches: (args) => [args.incidentId, args.id],
  creates: () => [],
  precondition: () => null,
  effect: (args) => [{ kind: 'remove', collection: 'incident_records', id: args.id }],
});
