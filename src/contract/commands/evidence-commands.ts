/** Commands on evidence (spec 3 §2, §3; schema §1.3). Evidence is deleted for good. */
import { z } from 'zod';
import { EVIDENCE_TYPES } from '../../domain/incident/incident.ts';
import { defineCommand } from './define-command.ts';
import { given, idOf, json, optionalId, text } from './fields.ts';

const script = text.nullable();

export const addEvidence = defineCommand({
  name: 'add_evidence',
  version: 1,
  args: z.object({
    id: idOf('evidence'),
    incidentId: idOf('incident'),
    hypothesisId: idOf('hypothesis'),
    type: z.enum(EVIDENCE_TYPES),
    description: text.default(''),
    config_id: optionalId,
    config_change_id: optionalId,
    config_analysis_id: optionalId,
    component_id: optionalId,
    check_id: optionalId,
    definition_of_done: z.boolean().default(false),
    done: z.boolean().nullable().default(null),
    script: script.default(null),
    evidence: json.nullable().default(null),
    properties: json.nullable().default(null),
  }),
  area: 'evidences',
  expiresAfterMs: null,
  touches: (args) => [args.incidentId, args.hypothesisId, args.id],
  creates: (args) => [args.id],
  precondition: () => null,
  effect: ({ incidentId, hypothesisId, ...args }, { userId, at }) => [
    {
      kind: 'put',
      collection: 'incident_records',
      row: {
        ...args,
        kind: 'evidence',
        incident_id: incidentId,
        hypothesis_id: hypothesisId,
        script_result: null,
        created_by: userId,
        created_at: at,
        updated_at: at,
      },
    },
  ],
});

export const editEvidence = defineCommand({
  name: 'edit_evidence',
  version: 1,
  args: z.object({
    id: idOf('evidence'),
    incidentId: idOf('incident'),
    changes: z.object({
      description: text.optional(),
      definition_of_done: z.boolean().optional(),
      done: z.boolean().nullable().optional(),
      script: script.optional(),
      evidence: json.nullable().optional(),
    }),
  }),
  area: 'evidences',
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

export const deleteEvidence = defineCommand({
  name: 'delete_evidence',
  version: 1,
  args: z.object({ id: idOf('evidence'), incidentId: idOf('incident') }),
  area: 'evidences',
  expiresAfterMs: null,
  touches: (args) => [args.incidentId, args.id],
  creates: () => [],
  precondition: () => null,
  effect: (args) => [{ kind: 'remove', collection: 'incident_records', id: args.id }],
});
