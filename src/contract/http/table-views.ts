/**
 * What screens read on demand (contract §2.4, §3, §8, §14): which columns, and what may be kept on the device.
 * Invariant: no view that carries a secret is kept (design §4 law 13).
 */
import { z } from 'zod';
import type { CollectionName } from '../collections.ts';
import { insightRowSchema, oldConfigSchema, relatedConfigRowSchema } from './catalog/catalog-rows.ts';
import { NOTIFICATION_VIEWS } from './notifications/notification-views.ts';
import { PLAYBOOK_VIEWS } from './playbooks/playbooks.ts';
import { SCREEN_VIEWS } from './tablets.ts';
import { EVENT_VIEWS, runFilesSchema } from './server-rows.ts';
import { OLD_INCIDENT_SELECT, oldIncidentSchema } from './old-incident.ts';

const text = z.string();
const maybeText = z.string().nullish();
const count = z.coerce.number().nullish();
const person = z.looseObject({ id: text, name: maybeText, avatar: maybeText }).nullish();
const agent = z.looseObject({ id: text, name: maybeText }).nullish();
const labels = z.record(z.string(), z.unknown()).nullish();

/** What every settings resource has; the rest depends on its kind. */
export const settingsRowSchema = z.looseObject({
  id: text,
  name: maybeText,
  namespace: maybeText,
  source: maybeText,
  labels,
  created_at: maybeText,
  updated_at: maybeText,
  created_by: z.union([person, text]),
  agent,
  schedule: maybeText,
  job_status: maybeText,
  last_runtime: maybeText,
  job_last_failed: maybeText,
});
export type SettingsRow = z.output<typeof settingsRowSchema>;

export const identityRowSchema = z.looseObject({
  id: text,
  state: maybeText,
  created_at: maybeText,
  traits: z.looseObject({
    name: z.looseObject({ first: maybeText, last: maybeText }).nullish(),
    email: maybeText,
  }),
});
export type IdentityRow = z.output<typeof identityRowSchema>;

const peopleRolesSchema = z.looseObject({ id: text, roles: z.array(text).nullish() });
const lastLoginSchema = z.looseObject({ id: text, last_login: maybeText });

export const propertyRowSchema = z.looseObject({
  name: text,
  value: maybeText,
  source: maybeText,
  description: maybeText,
  created_at: maybeText,
  updated_at: maybeText,
  created_by: z.union([person, text]),
});
export type PropertyRow = z.output<typeof propertyRowSchema>;

export const jobRowSchema = z.looseObject({
  id: text,
  name: maybeText,
  status: maybeText,
  resource_type: maybeText,
  resource_id: maybeText,
  resource_name: maybeText,
  agent_id: maybeText,
  agent,
  time_start: maybeText,
  created_at: maybeText,
  duration_millis: count,
  success_count: count,
  error_count: count,
  details: z.unknown(),
});
export type JobRow = z.output<typeof jobRowSchema>;

export const integrationRowSchema = z.looseObject({
  ...settingsRowSchema.shape,
  integration_type: text,
  job_time_start: maybeText,
  creator_name: maybeText,
});
export type IntegrationRow = z.output<typeof integrationRowSchema>;

export const agentRowSchema = z.looseObject({
  ...settingsRowSchema.shape,
  config_count: count,
  checks_count: count,
  config_scrapper_count: count,
  playbook_runs_count: count,
  last_seen: maybeText,
  last_received: maybeText,
  version: maybeText,
  hostname: maybeText,
  clock_skew_ms: z.number().nullish(),
  backlog_rows: z.number().nullish(),
  backlog_since: maybeText,
  thinned_rows: z.number().nullish(),
  cluster_server: maybeText,
  cluster_seen: maybeText,
  program_host: maybeText,
  second_host: maybeText,
  second_since: maybeText,
});
export type AgentRow = z.output<typeof agentRowSchema>;

interface TableView<Row> {
  /**
   * Under `/api`: a table of the data API, a path that answers with an array, or a function of the data API, whose
   * arguments are the question's `eq` conditions.
   */
  source: { table: string; select: string; isSoft?: boolean } | { path: string } | { rpc: string };
  row: z.ZodType<Row>;
  isKept: boolean;
  /** Replicated collections whose changes make the answer old. */
  follows: readonly CollectionName[];
}

function view<Row>(definition: TableView<Row>): TableView<Row> {
  return definition;
}

/** A list that nothing replicated tells of. */
function kept<Row>(source: TableView<Row>['source'], row: z.ZodType<Row>) {
  return view({ source, row, isKept: true, follows: [] });
}

const CREATOR = 'created_by(id,name,avatar)';

function resources(table: string, select: string, follows: readonly CollectionName[] = []) {
  return view({ source: { table, select, isSoft: true }, row: settingsRowSchema, isKept: true, follows });
}

/** The whole row, for its form: it may hold what must not stay on a device. */
function whole(table: string) {
  return view({ source: { table, select: '*' }, row: settingsRowSchema, isKept: false, follows: [] });
}

export const TABLE_VIEWS = {
  identities: view({
    source: { table: 'identities', select: 'id,state,traits,created_at' },
    row: identityRowSchema,
    isKept: true,
    follows: ['resources'],
  }),
  people_roles: view({
    source: { table: 'people_roles', select: 'id,roles' },
    row: peopleRolesSchema,
    isKept: true,
    follows: ['resources'],
  }),
  last_logins: view({
    source: { table: 'people', select: 'id,last_login', isSoft: true },
    row: lastLoginSchema,
    isKept: true,
    follows: ['resources'],
  }),
  teams: resources('teams_with_status', `*,${CREATOR}`, ['resources']),
  incident_rules: resources('incident_rules', `id,name,source,created_at,updated_at,${CREATOR}`),
  incident_rule_status: resources('incident_rules_with_status', '*', ['incidents']),
  config_scrapers: resources('config_scrapers_with_status', `*,${CREATOR}`, ['resources']),
  topologies: resources('topologies_with_status', `*,${CREATOR}`, ['resources']),
  canaries: resources('canaries_with_status', `*,${CREATOR}`, ['canaries']),
  logging_backends: resources('logging_backends', `id,name,labels,source,created_at,updated_at,${CREATOR}`),
  connections: resources('connections', `id,name,namespace,type,source,created_at,updated_at,${CREATOR}`, [
    'connections',
  ]),
  team: whole('teams'),
  incident_rule: whole('incident_rules'),
  config_scraper: whole('config_scrapers'),
  topology: whole('topologies'),
  canary: whole('canaries'),
  /** The checks of a canary, with why some are not run (our server only). */
  canary_checks: resources('checks', 'id,name,not_run_reason,deleted_at', ['checks']),
  check_files: view({
    source: { table: 'checks_status_artifacts', select: 'check_id,time,artifacts' },
    row: runFilesSchema,
    isKept: true,
    follows: ['checks'],
  }),
  logging_backend: whole('logging_backends'),
  connection: view({
    source: {
      table: 'connections',
      select: 'id,name,namespace,type,url,source,properties,insecure_tls,created_at,updated_at',
    },
    row: settingsRowSchema,
    isKept: false,
    follows: ['connections'],
  }),
  /** References as they are, secrets as `***`: a browser has no use for them. */
  connection_secrets: view({
    source: { table: 'connection_details', select: 'id,username,password,certificate' },
    row: z.looseObject({ id: text, username: maybeText, password: maybeText, certificate: maybeText }),
    isKept: false,
    follows: ['connections'],
  }),
  properties: view({
    source: { path: '/api/properties' },
    row: propertyRowSchema,
    isKept: true,
    follows: ['resources'],
  }),
  stored_properties: view({
    source: { table: 'properties', select: `name,value,created_at,updated_at,${CREATOR}` },
    row: propertyRowSchema,
    isKept: true,
    follows: ['resources'],
  }),
  job_histories: view({
    source: { table: 'job_histories', select: '*' },
    row: jobRowSchema,
    isKept: true,
    follows: ['job_histories'],
  }),
  job_history_names: kept({ table: 'job_history_names', select: '*' }, z.looseObject({ name: text })),
  ...EVENT_VIEWS,
  log_components: kept({ table: 'components_with_logs', select: 'id,name' }, settingsRowSchema),
  config_tags: kept(
    { table: 'config_tags', select: 'key,value' },
    z.looseObject({ key: text, value: maybeText }),
  ),
  /** Items that a device no longer keeps: deleted for longer than the feed reaches back. */
  old_configs: kept(
    { table: 'configs', select: 'id,name,type,status,health,deleted_at,updated_at' },
    oldConfigSchema,
  ),
  old_incident: kept({ table: 'incidents', select: OLD_INCIDENT_SELECT }, oldIncidentSchema),
  /** Insights of any status, with their items (contract §6.4). */
  insights: view({
    source: {
      table: 'config_analysis_items',
      select:
        'id,config_id,analysis_type,analyzer,severity,status,summary,message,first_observed,last_observed,config:configs(id,name,config_class,type)',
    },
    row: insightRowSchema,
    isKept: true,
    follows: ['config_insights'],
  }),
  insight: view({
    source: {
      table: 'config_analysis',
      select:
        'id,config_id,source,analyzer,analysis_type,message,summary,severity,status,analysis,first_observed,last_observed,config:configs(id,name,config_class,type)',
    },
    row: insightRowSchema,
    isKept: true,
    follows: ['config_insights'],
  }),
  component_configs: view({
    source: { table: 'config_component_relationships', select: 'config_id,component_id' },
    row: z.looseObject({ config_id: text }),
    isKept: true,
    follows: ['components'],
  }),
  ...NOTIFICATION_VIEWS,
  ...PLAYBOOK_VIEWS,
  integrations: view({
    source: { table: 'integrations_with_status', select: '*', isSoft: true },
    row: integrationRowSchema,
    isKept: true,
    follows: ['resources'],
  }),
  /** What choosing all of them needs. */
  integration_choice: view({
    source: { table: 'integrations_with_status', select: 'id,name,integration_type', isSoft: true },
    row: z.looseObject({ id: text, name: maybeText, integration_type: text }),
    isKept: false,
    follows: [],
  }),
  agents: view({
    source: { table: 'agents_summary', select: `*,${CREATOR}` },
    row: agentRowSchema,
    isKept: true,
    follows: ['resources'],
  }),
  agent_names: view({
    source: { table: 'agents', select: 'id,name', isSoft: true },
    row: z.looseObject({ id: text, name: maybeText }),
    isKept: true,
    follows: ['resources'],
  }),
  ...SCREEN_VIEWS,
  related_configs: view({
    source: { rpc: 'related_configs_recursive' },
    row: relatedConfigRowSchema,
    isKept: true,
    follows: ['config_relationships'],
  }),
} as const;

export type ViewName = keyof typeof TABLE_VIEWS;
export type ViewRow<Name extends ViewName> = z.output<(typeof TABLE_VIEWS)[Name]['row']>;
