/** Commands on an incident itself (spec 3 §4, §7). */
import { z } from 'zod';
import {
  HYPOTHESIS_STATUSES,
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
} from '../../domain/incident/incident.ts';
import { defineCommand } from './define-command.ts';
import { given, idOf, optionalId, text, title } from './fields.ts';

const severity = z.enum(INCIDENT_SEVERITIES);
const type = z.enum(INCIDENT_TYPES);
const status = z.enum(INCIDENT_STATUSES);

/** A new incident together with its root hypothesis, which starts as possible (spec 3 §4). */
export const createIncident = defineCommand({
  name: 'create_incident',
  version: 1,
  args: z.object({
    id: idOf('incident'),
    rootHypothesisId: idOf('hypothesis'),
    title,
    description: text.default(''),
    type: type.default('availability'),
    severity: severity.default('low'),
    status: status.default('open'),
    commanderId: optionalId,
    communicatorId: optionalId,
    hypothesisStatus: z.enum(HYPOTHESIS_STATUSES).default('possible'),
  }),
  area: 'incident',
  expiresAfterMs: null,
  touches: (args) => [args.id, args.rootHypothesisId],
  creates: (args) => [args.id, args.rootHypothesisId],
  precondition: () => null,
  effect: (args, { userId, at }) => [
    {
      kind: 'put',
      collection: 'incidents',
      row: {
        id: args.id,
        incident_id: '',
        title: args.title,
        description: args.description,
        type: args.type,
        severity: args.severity,
        status: args.status,
        created_by: userId,
        commander_id: args.commanderId,
        communicator_id: args.communicatorId,
        acknowledged: null,
        resolved: null,
        closed: null,
        created_at: at,
        updated_at: at,
      },
    },
    {
      kind: 'put',
      collection: 'incident_records',
      row: {
        id: args.rootHypothesisId,
        kind: 'hypothesis',
        incident_id: args.id,
        parent_id: null,
        title: args.title,
        type: 'root',
        status: args.hypothesisStatus,
        created_by: userId,
        created_at: at,
        updated_at: at,
      },
    },
  ],
});

/** Fields merge one by one; one that somebody else changed meanwhile refuses the edit (law 7). */
export const editIncident = defineCommand({
  name: 'edit_incident',
  version: 1,
  args: z.object({
    id: idOf('incident'),
    changes: z.object({
      title: title.optional(),
      description: text.optional(),
      severity: severity.optional(),
      type: type.optional(),
      commander_id: z.guid().nullable().optional(),
      communicator_id: z.guid().nullable().optional(),
    }),
  }),
  area: 'incident',
  expiresAfterMs: null,
  touches: (args) => [args.id],
  creates: () => [],
  precondition: (args) => ({
    collection: 'incidents',
    id: args.id,
    fields: Object.keys(given(args.changes)),
  }),
  effect: (args) => [{ kind: 'set', collection: 'incidents', id: args.id, fields: given(args.changes) }],
});

/** The server checks the transition again, from the status that is there then (law 7, spec 3 §4). */
export const setIncidentStatus = defineCommand({
  name: 'set_incident_status',
  version: 1,
  args: z.object({ id: idOf('incident'), from: status, to: status }),
  area: 'incident',
  expiresAfterMs: null,
  touches: (args) => [args.id],
  creates: () => [],
  precondition: () => null,
  effect: (args) => [{ kind: 'set', collection: 'incidents', id: args.id, fields: { status: args.to } }],
});
