/** Commands on the hypotheses of an incident (spec 3 §2 'Hypothesis tree and evidence'). */
import { z } from 'zod';
import { HYPOTHESIS_STATUSES, HYPOTHESIS_TYPES } from '../../domain/incident/incident.ts';
import { defineCommand } from './define-command.ts';
import { given, idOf, optionalId, title } from './fields.ts';

const type = z.enum(HYPOTHESIS_TYPES);
const status = z.enum(HYPOTHESIS_STATUSES);

export const createHypothesis = defineCommand({
  name: 'create_hypothesis',
  version: 1,
  args: z.object({
    id: idOf('hypothesis'),
    incidentId: idOf('incident'),
    parentId: optionalId,
    title,
    type: type.default('factor'),
    status: status.default('possible'),
  }),
  area: 'incident',
  expiresAfterMs: null,
  touches: (args) => [args.incidentId, args.id, ...(args.parentId === null ? [] : [args.parentId])],
  creates: (args) => [args.id],
  precondition: () => null,
  effect: (args, { userId, at }) => [
    {
      kind: 'put',
      collection: 'incident_records',
      row: {
        id: args.id,
        kind: 'hypothesis',
        incident_id: args.incidentId,
        parent_id: args.parentId,
        title: args.title,
        type: args.type,
        status: args.status,
        created_by: userId,
        created_at: at,
        updated_at: at,
      },
    },
  ],
});

export const editHypothesis = defineCommand({
  name: 'edit_hypothesis',
  version: 1,
  args: z.object({
    id: idOf('hypothesis'),
    incidentId: idOf('incident'),
    changes: z.object({
      title: title.optional(),
      status: status.optional(),
      type: type.optional(),
      parent_id: z.guid().nullable().optional(),
    }),
  }),
  area: 'incident',
  expiresAfterMs: null,
  touches: (args) => [args.incidentId, args.id],
  creates: () => [],
  precondition: (args) => ({
    collection: 'incident_records',
    id: args.id,
    fields: Object.keys(given(args.changes)),
  }),
  effect: (args) => [
    { kind: 'set', collection: 'incident_records', id: args.id, fields: given(args.changes) },
  ],
});

/** Takes its comments and evidences along (spec 3 §2); what hangs below it moves up to its parent. */
export const deleteHypothesis = defineCommand({
  name: 'delete_hypothesis',
  version: 1,
  args: z.object({ id: idOf('hypothesis'), incidentId: idOf('incident') }),
  area: 'incident',
  expiresAfterMs: null,
  touches: (args) => [args.incidentId, args.id],
  creates: () => [],
  precondition: () => null,
  effect: (args) => [{ kind: 'remove', collection: 'incident_records', id: args.id }],
});
