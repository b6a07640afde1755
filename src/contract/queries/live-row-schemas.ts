/**
 * What pages may rely on in a row of a collection. Rows of incidents, their records, checks and canaries were parsed
 * with a schema of their own when they came in; of the others a server may send anything, so the columns that pages
 * read are made sure of when they are answered: what is no text (number, map) is null. Other columns stay as they are.
 */
import * as z from 'zod/mini';
import type { Check } from '../../domain/check/check.ts';
import type { IncidentRecord, IncidentRow } from '../collection-rows.ts';
import type { CollectionName, ReplicatedRow } from '../collections.ts';

/** A column that a row may lack, too. */
const column = <Value>(read: (value: unknown) => Value) =>
  z.pipe(z._default(z.unknown(), null), z.transform(read));

const text = column((value) => (typeof value === 'string' ? value : null));
const someText = column((value) => (typeof value === 'string' ? value : ''));
const number = column((value) => (typeof value === 'number' ? value : null));
const texts = column((value) =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : null,
);
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const map = column((value) => (isMap(value) ? value : null));

const thing = { id: z.string(), name: text, type: text, health: text, status: text, updated_at: text };

export const LIVE_ROW_SCHEMAS = {
  resources: z.looseObject({ id: z.string(), name: text, avatar: text }),
  components: z.looseObject({
    ...thing,
    text,
    namespace: text,
    /** Its log selectors. */
    logs: column((value) => (Array.isArray(value) ? (value as unknown[]) : [])),
  }),
  playbooks: z.looseObject({
    id: z.string(),
    name: text,
    title: text,
    icon: text,
    description: text,
    category: text,
    source: text,
    updated_at: text,
    /** The specification as JSON. */
    definition: text,
  }),
  playbook_runs: z.looseObject({
    id: z.string(),
    playbook_id: someText,
    status: text,
    created_at: text,
    start_time: text,
    end_time: text,
    config_id: text,
    component_id: text,
    check_id: text,
    created_by: text,
    /** Why nothing of it could begin. */
    error: text,
    /** Who is asked for approval and who gave it, by id; null for runs that do not wait for one. */
    approval: map,
  }),
  configs: z.looseObject({
    ...thing,
    config_class: text,
    external_id: texts,
    description: text,
    source: text,
    labels: map,
    tags: map,
    scraper_id: text,
    parent_id: text,
    path: text,
    check_ids: texts,
    agent_id: text,
    cost_per_minute: number,
    cost_total_1d: number,
    cost_total_7d: number,
    cost_total_30d: number,
    created_at: text,
    deleted_at: text,
    delete_reason: text,
  }),
  config_changes: z.looseObject({
    id: z.string(),
    config_id: someText,
    change_type: text,
    severity: text,
    source: text,
    summary: text,
    created_at: text,
    count: number,
    diff: text,
  }),
  notification_history: z.looseObject({
    id: z.string(),
    notification_id: text,
    status: text,
    count: number,
    source_event: someText,
    resource_id: someText,
    resource_type: text,
    resource_name: text,
    person_id: text,
    title: text,
    recipient: text,
    reason: text,
    error: text,
    attempts: column((value) => (Array.isArray(value) ? value.filter(isMap) : [])),
    duration_millis: number,
    first_observed: text,
    created_at: text,
  }),
  config_insights: z.looseObject({
    id: z.string(),
    config_id: text,
    analyzer: text,
    analysis_type: text,
    severity: text,
    status: text,
    summary: text,
    message: text,
    source: text,
    first_observed: text,
    last_observed: text,
  }),
} as const;

interface ParsedRows {
  incidents: IncidentRow;
  incident_records: IncidentRecord;
  checks: Check;
}

/** A row of a collection, as pages get it. */
export type CollectionRow<Collection extends CollectionName> = Collection extends keyof ParsedRows
  ? ParsedRows[Collection]
  : Collection extends keyof typeof LIVE_ROW_SCHEMAS
    ? z.output<(typeof LIVE_ROW_SCHEMAS)[Collection]>
    : ReplicatedRow;
