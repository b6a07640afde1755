/** Which tables of the plain contract feed which collections, and how (design §4 law 16). */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { recordOf } from '../../../src/lib/is-record.ts';

const DAY_MS = 86_400_000;

/** A table of the contract as a source of one of our collections. */
export interface PlainTable {
  collection: CollectionName;
  table: string;
  select: string;
  /** The column that says when a row changed. */
  changed: 'updated_at' | 'created_at';
  /** Rows with `deleted_at` are gone. */
  isSoft?: boolean;
  /** Only rows younger than this are kept, ms. */
  youngerThanMs?: number;
  kind?: string;
  /** What the projection of ours has and the contract's row hasn't. */
  shape?: (row: ReplicatedRow) => ReplicatedRow;
}

/** The specification as a text, as our feed has it. */
function playbookShape(row: ReplicatedRow): ReplicatedRow {
  const { spec, ...rest } = row;
  return { ...rest, definition: JSON.stringify(spec ?? {}) };
}

/** Evidence knows its incident by its hypothesis. */
function evidenceShape(row: ReplicatedRow): ReplicatedRow {
  const { hypotheses, ...rest } = row;
  const incident =
    typeof hypotheses === 'object' && hypotheses !== null && 'incident_id' in hypotheses
      ? hypotheses.incident_id
      : null;
  return { ...rest, incident_id: incident, definition_of_done: rest['definition_of_done'] === true };
}

/** The view has what it is about as an object. */
function historyShape(row: ReplicatedRow): ReplicatedRow {
  const { resource, ...rest } = row;
  return { ...rest, resource_name: recordOf(resource)['name'] ?? null };
}

const record = (table: string, kind: string, over: Partial<PlainTable> = {}): PlainTable => ({
  collection: 'incident_records',
  table,
  select: '*',
  changed: 'updated_at',
  kind,
  ...over,
});
const resource = (table: string, kind: string, select: string): PlainTable => ({
  collection: 'resources',
  table,
  select: `id,name,${select}created_at,updated_at,deleted_at`,
  changed: 'updated_at',
  isSoft: true,
  kind,
});

export const PLAIN_TABLES: readonly PlainTable[] = [
  { collection: 'incidents', table: 'incidents', select: '*', changed: 'updated_at' },
  record('hypotheses', 'hypothesis'),
  record('evidences', 'evidence', { select: '*,hypotheses(incident_id)', shape: evidenceShape }),
  record('comments', 'comment'),
  record('responders', 'responder', { isSoft: true }),
  record('incident_histories', 'history', { changed: 'created_at' }),
  resource('teams', 'team', 'icon,source,'),
  resource('people', 'person', 'avatar,type,team_id,'),
  resource('agents', 'agent', 'hostname,description,version,'),
  resource('topologies', 'topology', 'namespace,labels,source,agent_id,'),
  resource('config_scrapers', 'scraper', 'description,source,agent_id,'),
  {
    collection: 'resources',
    table: 'notification_silences',
    select:
      'id,namespace,description,recursive,config_id,check_id,canary_id,component_id,from,until,source,created_by,created_at,updated_at,deleted_at',
    changed: 'updated_at',
    isSoft: true,
    kind: 'silence',
  },
  {
    collection: 'notification_history',
    table: 'notification_send_history_summary',
    select:
      'id,notification_id,status,count,first_observed,source_event,resource_id,resource_type,resource,person_id,error,duration_millis,created_at',
    changed: 'created_at',
    youngerThanMs: 7 * DAY_MS,
    shape: historyShape,
  },
  { collection: 'components', table: 'components', select: '*', changed: 'updated_at', isSoft: true },
  { collection: 'configs', table: 'configs', select: '*', changed: 'updated_at', isSoft: true },
  {
    collection: 'playbooks',
    table: 'playbooks',
    select:
      'id,namespace,name,title,icon,description,category,source,created_by,created_at,updated_at,deleted_at,spec',
    shape: playbookShape,
    changed: 'updated_at',
    isSoft: true,
  },
  {
    collection: 'config_changes',
    table: 'config_changes',
    select: 'id,config_id,change_type,severity,source,summary,created_by,created_at,count,first_observed',
    changed: 'created_at',
    youngerThanMs: 7 * DAY_MS,
  },
  {
    collection: 'job_histories',
    table: 'job_history',
    select:
      'id,agent_id,name,success_count,error_count,hostname,duration_millis,resource_type,resource_id,status,time_start,time_end,created_at',
    changed: 'created_at',
    youngerThanMs: 2 * DAY_MS,
  },
];
