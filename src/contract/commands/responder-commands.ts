/** Commands on responders: a set, so adding the same team or person twice is one (law 7). */
import { z } from 'zod';
import { defineCommand } from './define-command.ts';
import { idOf, json, optionalId } from './fields.ts';
import { OF_RESPONDER, responderArgs } from './of-responder.ts';

export const addResponder = defineCommand({
  name: 'add_responder',
  version: 1,
  args: z
    .object({
      id: idOf('responder'),
      incidentId: idOf('incident'),
      type: z.enum(['person', 'system']),
      personId: optionalId,
      teamId: optionalId,
      /** `responderType` and that type's form fields (spec 3 §3). */
      properties: json.nullable().default(null),
    })
    .refine((args) => (args.personId === null) !== (args.teamId === null), {
      message: 'Choose a person or a team',
      path: ['personId'],
    }),
  area: 'responder',
  expiresAfterMs: null,
  touches: (args) => [args.incidentId, args.id],
  creates: (args) => [args.id],
  precondition: () => null,
  effect: (args, { userId, at }) => [
    {
      kind: 'put',
      collection: 'incident_records',
      row: {
        id: args.id,
        kind: 'responder',
        incident_id: args.incidentId,
        type: args.type,
        person_id: args.personId,
        team_id: args.teamId,
        external_id: null,
        properties: args.properties,
        acknowledged: null,
        resolved: null,
        closed: null,
        created_by: userId,
        created_at: at,
        updated_at: at,
      },
    },
  ],
});

/** Calls the outside system again that was given up; where nothing was, nothing happens (schema §8.2). */
export const retryResponder = defineCommand({
  name: 'retry_responder',
  ...OF_RESPONDER,
  args: z.object(responderArgs),
  effect: (args, { at }) => [
    {
      kind: 'set',
      collection: 'incident_records',
      id: args.id,
      fields: {
        delivery: { state: 'waiting', attempts: 0, error: null, url: null, remote_status: null, at },
      },
    },
  ],
});

/** Soft: the server sets `deleted_at` (spec 3 §4). */
export const removeResponder = defineCommand({
  name: 'remove_responder',
  ...OF_RESPONDER,
  args: z.object(responderArgs),
  effect: (args) => [{ kind: 'remove', collection: 'incident_records', id: args.id }],
});
