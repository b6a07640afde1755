/**
 * Which area of the access matrix each table, view and function of the data API belongs to. A name that is not
 * here does not exist for the data API. The object names are the contract's (they show in refusals); where its
 * grants and the matrix of spec 1 §6 disagree, the matrix decides.
 */
import { may } from '../../../src/domain/access/matrix.ts';
import type { Area } from '../../../src/domain/access/matrix.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

export type TableVerdict =
  | { kind: 'allowed' }
  /** Not behind the data API: to be answered as not found. */
  | { kind: 'unknown' }
  | { kind: 'denied'; object: string; action: string };

interface TableGroup {
  object: string;
  /** null: nobody, not even admins; such rows are for the server alone. */
  read: Area | null;
  /** Where writing is for fewer than the reading area says; null for nobody. */
  write?: Area | null;
  names: string;
}

const GROUPS: readonly TableGroup[] = [
  { object: 'database.public', read: 'agents', names: 'agents' },
  {
    object: 'database.public',
    read: 'database',
    names: `teams teams_with_status team_members team_components severities saved_query playbook_names
      component_names component_labels component_types check_names check_labels config_names config_types
      config_classes config_statuses config_labels config_tags change_types analysis_types analyzer_types
      rpc/uuid_to_ulid`,
  },
  // Who is who stands beside every row; who may do what is changed by those who manage identities.
  { object: 'people', read: 'database', write: 'identities', names: 'people people_roles' },
  // Accounts and roles change through their own routes, which keep the last administrator.
  { object: 'database.public', read: 'identities', write: null, names: 'identities' },
  // Hashes of tokens.
  { object: 'database.kratos', read: null, names: 'access_tokens' },
  // env has the secrets that an action on an agent gets to see.
  { object: 'playbooks', read: 'connections', names: 'playbook_action_agent_data' },
  { object: 'auth', read: 'rbac', write: null, names: 'casbin_rule' },
  { object: 'database.monitor', read: 'agents', names: 'agents_summary' },
  { object: 'database.monitor', read: 'integrations', names: 'integrations integrations_with_status' },
  {
    object: 'database.monitor',
    read: 'notifications',
    names: 'notifications_summary notification_send_history notification_send_history_summary',
  },
  {
    object: 'database.monitor',
    read: 'database',
    names: `event_queue_summary failed_events push_queue_summary job_history job_history_latest_status
      job_histories job_history_names`,
  },
  { object: 'database.monitor', read: 'config_scrapers', names: 'config_scrapers_with_status' },
  { object: 'database.config_scrapers', read: 'config_scrapers', names: 'config_scrapers' },
  { object: 'database.config_scrapers', read: 'logging_backends', names: 'logging_backends' },
  { object: 'database.system', read: 'properties', names: 'properties' },
  { object: 'database.system', read: 'database', names: 'event_queue' },
  { object: 'database.system', read: 'rbac', names: 'permissions' },
  { object: 'connection', read: 'connections', names: 'connections connections_list' },
  { object: 'connection-detail', read: 'connections', names: 'connection_details' },
  { object: 'artifact', read: 'canaries', names: 'artifacts' },
  { object: 'agent-push', read: 'playbooks', names: 'playbooks_for_agent' },
  { object: 'notification', read: 'notifications', names: 'notifications notification_silences' },
  {
    object: 'canaries',
    read: 'canaries',
    names: `canaries canaries_with_status checks check_statuses check_statuses_1h check_statuses_1d
      check_statuses_5m check_status_summary check_status_summary_hour check_status_summary_aged
      check_size_summary check_summary check_summary_by_component checks_by_component
      checks_by_config check_component_relationships check_config_relationships checks_status_artifacts
      rpc/check_summary_for_component`,
  },
  {
    object: 'catalog',
    read: 'database',
    names: `configs config_items config_detail config_changes config_analysis config_relationships
      config_component_relationships config_costs config_locations config_summary config_class_summary config_changes_by_types
      config_items_aws config_analysis_by_severity config_analysis_items config_analysis_analyzers config_item_summary_3d
      config_item_summary_7d config_item_summary_30d catalog_changes analysis_by_config analysis_by_component
      analysis_summary_by_component changes_by_component check_summary_by_config check_summary_for_config
      rpc/related_configs rpc/related_configs_recursive rpc/related_changes_recursive
      rpc/config_relationships_recursive rpc/related_config_ids_recursive rpc/lookup_config_children
      rpc/lookup_config_relations rpc/lookup_components_by_config rpc/config_path rpc/get_recursive_path`,
  },
  {
    object: 'topology',
    read: 'topologies',
    names: `topology topologies topologies_with_status components component_relationships component_names_all
      components_with_logs rpc/lookup_component_children rpc/lookup_component_relations
      rpc/lookup_component_incidents rpc/lookup_component_names rpc/lookup_component_by_property
      rpc/lookup_component_config_id_related_components rpc/lookup_components_by_check
      rpc/lookup_configs_by_component rpc/lookup_changes_by_component rpc/lookup_analysis_by_component`,
  },
  {
    object: 'incident',
    read: 'incident',
    names: `incidents hypotheses incident_relationships incident_rules
      incident_rules_with_status incident_summary
      incident_summary_by_component incidents_by_component incidents_by_config`,
  },
  // What happened is written down by the database (schema §1.7); it goes only with an incident that an
  // administrator deletes, row by row, because nothing cascades there.
  { object: 'incident', read: 'incident', write: 'identities', names: 'incident_histories' },
  { object: 'incident', read: 'evidences', names: 'evidences' },
  { object: 'incident', read: 'comments', names: 'comments comment_responders' },
  { object: 'incident', read: 'responder', names: 'responders' },
  { object: 'playbooks', read: 'playbooks', names: 'playbooks' },
  {
    object: 'playbooks',
    read: 'playbook_runs',
    // What runs is what its playbook says, for whom it allows it: runs are written by the server alone.
    write: null,
    names: 'playbook_runs playbook_runs_timed playbook_run_actions playbook_approvals',
  },
];

const GROUP_BY_NAME = new Map(
  GROUPS.flatMap((group) => group.names.split(/\s+/).map((name): [string, TableGroup] => [name, group])),
);

const ACTIONS = lookupTable<string>({
  GET: 'read',
  HEAD: 'read',
  POST: 'create',
  PATCH: 'update',
  DELETE: 'delete',
});

/** Whether somebody with these roles may use the table (or `rpc/<function>`) with the HTTP method. */
export function decideTableAccess(name: string, method: string, roles: readonly string[]): TableVerdict {
  const group = GROUP_BY_NAME.get(name);
  if (group === undefined) return { kind: 'unknown' };
  const action = ACTIONS[method];
  const isRead = action === 'read';
  const area = isRead || group.write === undefined ? group.read : group.write;
  if (action !== undefined && area !== null && may(roles, area, isRead ? 'read' : 'write'))
    return { kind: 'allowed' };
  return { kind: 'denied', object: group.object, action: action ?? method.toLowerCase() };
}
