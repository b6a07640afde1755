/** The schemas of replicated rows, as they are parsed when they come in. */
import { z } from 'zod';
import { isRecord } from '../lib/is-record.ts';
import { COLLECTIONS, type ReplicatedRow } from './collections.ts';

export const collectionSchema = z.enum(COLLECTIONS);

/** Every row has an id. */
export function isReplicatedRow(row: unknown): row is ReplicatedRow {
  return isRecord(row) && typeof row['id'] === 'string' && row['id'] !== '';
}

/** Looks at a row without copying it: thousands come at once. */
export const replicatedRowSchema = z.custom<ReplicatedRow>(isReplicatedRow, 'A row has an id');

const text = z.string();
const maybeText = z.string().nullable();

/** A row of `incidents`. */
export const incidentRowSchema = z.looseObject({
  id: text,
  /** `INC-<n>`; empty while the server hasn't given one. */
  incident_id: text,
  title: text,
  description: text,
  type: text,
  severity: text,
  status: text,
  created_by: maybeText,
  commander_id: maybeText,
  communicator_id: maybeText,
  acknowledged: maybeText,
  resolved: maybeText,
  closed: maybeText,
  created_at: text,
  /** When its author's device wrote it; null or absent where nobody said. */
  written_at: z.string().nullish(),
  updated_at: text,
});
export type IncidentRow = z.output<typeof incidentRowSchema>;

const record = {
  id: text,
  incident_id: text,
  created_by: maybeText,
  /** When the server got it. */
  created_at: text,
  /** When its author's device wrote it; null or absent where nobody said. */
  written_at: z.string().nullish(),
};

/** What became of a responder's call in the outside system (e-mail, Jira, ServiceNow, a webhook …). */
export const responderDeliverySchema = z.looseObject({
  /** `waiting` for its next try, `delivered`, or `failed` for good until somebody asks again. */
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number(),
  /** Why the last try failed, in plain words without secrets. */
  error: maybeText,
  /** Page of the ticket in the outside system. */
  url: maybeText,
  /** Status of the ticket there, in that system's word. */
  remote_status: maybeText,
  at: maybeText,
});
export type ResponderDelivery = z.output<typeof responderDeliverySchema>;

/** `incident_records`: everything that belongs to an incident, told apart by `kind`. */
export const incidentRecordSchema = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('hypothesis'),
    ...record,
    parent_id: maybeText,
    title: text,
    type: text,
    status: text,
    updated_at: text,
  }),
  z.looseObject({
    kind: z.literal('evidence'),
    ...record,
    hypothesis_id: text,
    type: text,
    description: text,
    definition_of_done: z.boolean(),
    done: z.boolean().nullable(),
    script: maybeText,
    script_result: maybeText,
    evidence: z.unknown(),
    properties: z.unknown(),
    config_id: maybeText,
    config_change_id: maybeText,
    config_analysis_id: maybeText,
    component_id: maybeText,
    check_id: maybeText,
    updated_at: text,
  }),
  z.looseObject({
    kind: z.literal('comment'),
    ...record,
    hypothesis_id: maybeText,
    responder_id: maybeText,
    comment: text,
    external_created_by: maybeText,
    updated_at: text,
  }),
  z.looseObject({
    kind: z.literal('responder'),
    ...record,
    type: text,
    person_id: maybeText,
    team_id: maybeText,
    external_id: maybeText,
    properties: z.unknown(),
    acknowledged: maybeText,
    resolved: maybeText,
    closed: maybeText,
    /** How its way to the outside system stands; null or absent where nothing is sent. */
    delivery: responderDeliverySchema.nullish(),
    updated_at: text,
  }),
  z.looseObject({
    kind: z.literal('history'),
    ...record,
    type: maybeText,
    description: maybeText,
    hypothesis_id: maybeText,
    evidence_id: maybeText,
    responder_id: maybeText,
    comment_id: maybeText,
  }),
  // How far a person has read: what came later, and isn't theirs, is unread.
  z.looseObject({ kind: z.literal('read'), ...record, person_id: text, read_at: text }),
]);
export type IncidentRecord = z.output<typeof incidentRecordSchema>;
export type RecordKind = IncidentRecord['kind'];
