/**
 * Role × resource × action on the server (spec 1 §6), all of them: every table, view and function of the data API
 * and every other route, for each role, for somebody without a role, for an agent and for nobody. The table below
 * is written down from the specification and not taken from the program. Access rules know no database, so one
 * kind is enough.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../server/platform/db/test-databases.ts';
import { decideTableAccess } from '../../server/access/policies/table-areas.ts';
import { allRelations } from './support/relations-query.ts';
import { openTestBrowser } from './support/test-browser.ts';
import { PASSWORD, startTestServer } from './support/test-server.ts';
import type { TestServer } from './support/test-server.ts';

type Who = 'admin' | 'editor' | 'commander' | 'responder' | 'viewer' | 'without role' | 'agent' | 'nobody';
const PEOPLE: readonly Who[] = [
  'admin',
  'editor',
  'commander',
  'responder',
  'viewer',
  'without role',
  'agent',
];

const READERS: readonly Who[] = ['admin', 'editor', 'commander', 'responder', 'viewer', 'without role'];
const WRITERS: readonly Who[] = ['admin', 'editor'];
const INCIDENT_WRITERS: readonly Who[] = ['admin', 'editor', 'commander', 'responder'];
const ADMINS: readonly Who[] = ['admin'];
const NOBODY: readonly Who[] = [];

type Answer = Awaited<ReturnType<TestServer['app']['inject']>>;

interface Rule {
  read: readonly Who[];
  write: readonly Who[];
  names: string;
}

const TABLES: readonly Rule[] = [
  {
    read: READERS,
    write: WRITERS,
    names: `agents agents_summary teams teams_with_status team_members team_components severities saved_query
      playbook_names component_names component_names_all component_labels component_types check_names check_labels
      config_names config_types config_classes config_statuses config_labels config_tags change_types
      analysis_types analyzer_types rpc/uuid_to_ulid integrations integrations_with_status notifications_summary
      notification_send_history notification_send_history_summary event_queue_summary failed_events
      push_queue_summary job_history job_history_latest_status job_histories job_history_names config_scrapers
      config_scrapers_with_status logging_backends properties event_queue artifacts playbooks_for_agent
      notifications notification_silences playbooks`,
  },
  // What runs is what its playbook says, for whom it allows it: by the routes of runs alone.
  {
    read: READERS,
    write: NOBODY,
    names: 'playbook_runs playbook_runs_timed playbook_run_actions playbook_approvals',
  },
  {
    read: READERS,
    write: WRITERS,
    names: `canaries canaries_with_status checks check_statuses check_statuses_1h check_statuses_1d
      check_statuses_5m check_status_summary check_status_summary_hour check_status_summary_aged
      check_size_summary check_summary check_summary_by_component checks_by_component checks_by_config
      check_component_relationships check_config_relationships checks_status_artifacts
      rpc/check_summary_for_component`,
  },
  {
    read: READERS,
    write: WRITERS,
    names: `configs config_items config_detail config_changes config_analysis config_relationships
      config_component_relationships config_costs config_locations config_summary config_class_summary config_changes_by_types config_items_aws
      config_analysis_by_severity config_analysis_items config_analysis_analyzers config_item_summary_3d
      config_item_summary_7d config_item_summary_30d catalog_changes analysis_by_config analysis_by_component
      analysis_summary_by_component changes_by_component check_summary_by_config check_summary_for_config
      rpc/related_configs rpc/related_configs_recursive rpc/related_changes_recursive
      rpc/config_relationships_recursive rpc/related_config_ids_recursive rpc/lookup_config_children
      rpc/lookup_config_relations rpc/lookup_components_by_config rpc/config_path rpc/get_recursive_path`,
  },
  {
    read: READERS,
    write: WRITERS,
    names: `topology topologies topologies_with_status components component_relationships components_with_logs
      rpc/lookup_component_children rpc/lookup_component_relations rpc/lookup_component_incidents
      rpc/lookup_component_names rpc/lookup_component_by_property
      rpc/lookup_component_config_id_related_components rpc/lookup_components_by_check
      rpc/lookup_configs_by_component rpc/lookup_changes_by_component rpc/lookup_analysis_by_component`,
  },
  {
    read: READERS,
    write: INCIDENT_WRITERS,
    names: `incidents hypotheses incident_relationships incident_rules
      incident_rules_with_status incident_summary incident_summary_by_component incidents_by_component incidents_by_config evidences comments
      comment_responders responders`,
  },
  // Written by the database; an administrator deletes them with their incident.
  { read: READERS, write: ADMINS, names: 'incident_histories' },
  // Names stand beside every row; accounts are for those who manage identities.
  { read: READERS, write: ADMINS, names: 'people people_roles' },
  {
    read: ADMINS,
    write: ADMINS,
    names: 'permissions connections connections_list connection_details playbook_action_agent_data',
  },
  // Read by those who manage accounts, changed only by the routes that keep the last administrator.
  { read: ADMINS, write: NOBODY, names: 'identities casbin_rule' },
  { read: NOBODY, write: NOBODY, names: 'access_tokens' },
];

const RULES = new Map(
  TABLES.flatMap((rule) => rule.names.split(/\s+/).map((name): [string, Rule] => [name, rule])),
);

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Whose calls of the other routes get past the door; whatever they are answered then. */
const ROUTES: readonly [Method, string, readonly Who[]][] = [
  ['GET', '/api/auth/whoami', [...READERS, 'agent']],
  ['GET', '/api/about', [...READERS, 'agent']],
  ['GET', '/api/canary/about', [...READERS, 'agent']],
  ['GET', '/api/properties', [...READERS, 'agent']],
  ['GET', '/api/first-visit', [...READERS, 'agent']],
  ['GET', '/api/push/key', READERS],
  ['GET', '/api/canary/api/summary', READERS],
  ['GET', '/api/canary/api/graph?check=x', READERS],
  ['POST', '/api/canary/run/check/x', INCIDENT_WRITERS],
  ['POST', '/api/canary/try', WRITERS],
  ['POST', '/api/config/try', WRITERS],
  ['POST', '/api/events/retry', WRITERS],
  ['POST', '/api/catalog/changes', READERS],
  ['GET', '/api/catalog/changes', READERS],
  ['POST', '/api/catalog/summary', READERS],
  ['POST', '/api/resources/search', READERS],
  ['POST', '/api/notification/silence', WRITERS],
  ['POST', '/api/agent/generate', WRITERS],
  ['GET', '/api/kubeconfig', WRITERS],
  ['POST', '/api/kubeconfig', WRITERS],
  ['GET', '/api/identity/tokens', [...READERS, 'agent']],
  ['POST', '/api/connection/test/x', ADMINS],
  ['POST', '/api/logs', READERS],
  ['POST', '/api/logs/test', WRITERS],
  ['GET', '/api/integrations/charts/aws', WRITERS],
  ['GET', '/api/notifications/reach', [...READERS, 'agent']],
  ['POST', '/api/auth/invite_user', ADMINS],
  ['POST', '/api/people/update', ADMINS],
  ['DELETE', '/api/people/x', ADMINS],
  ['POST', '/api/rbac/x/update_role', ADMINS],
  ['GET', '/api/rbac/dump', ADMINS],
  ['POST', '/api/auth/x/update_state', ADMINS],
  ['GET', '/api/schemas/canary.spec.schema.json', [...READERS, 'agent']],
];

/** Each case asks some thirty times; a busy machine takes a while. */
const PATIENCE_MS = 60_000;

describe('roles on the server', () => {
  let db: Database;
  let server: TestServer;
  const headers = new Map<Who, Record<string, string>>();
  const ids = new Map<Who, string>();

  async function ask(who: Who, method: Method, url: string): Promise<Answer> {
    const body = method === 'POST' || method === 'PATCH' ? '{}' : undefined;
    return server.app.inject({
      method,
      url,
      headers: {
        ...headers.get(who),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
  }

  beforeAll(async () => {
    db = await openMigratedDatabase('postgres');
    server = await startTestServer(db);
    for (const who of PEOPLE) {
      const account = await (who === 'without role' ? server.account() : server.account(who));
      const browser = openTestBrowser(server.url);
      await browser.signIn(account.email, PASSWORD);
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      headers.set(who, { cookie });
      ids.set(who, account.id);
    }
  });
  afterAll(async () => {
    await server.stop();
    await db.close();
  });

  it('every relation and function of the database is in the table here or does not exist for the data API', async () => {
    const names = await allRelations(db);
    expect(names.length).toBeGreaterThan(RULES.size);
    const exposed = names.filter((name) => decideTableAccess(name, 'GET', ['admin']).kind !== 'unknown');
    expect(exposed.toSorted()).toEqual([...RULES.keys()].toSorted());
  });

  it('what is not in the table is not found, with an empty body, even for admins', async () => {
    const hidden = (await allRelations(db)).filter((name) => !RULES.has(name));
    for (const name of [...hidden, 'schema_migrations', 'pg_class', 'rpc/pg_sleep', 'identity_credentials']) {
      const answer = await ask('admin', 'GET', `/api/db/${name}`);
      expect(`${name} ${answer.statusCode} ${answer.body}`).toBe(`${name} 404 `);
    }
  });

  const METHODS = [
    ['GET', 'read', '?limit=0'],
    ['POST', 'create', '?select=no_such_column'],
    ['PATCH', 'update', '?no_such_column=eq.1'],
    ['DELETE', 'delete', '?no_such_column=eq.1'],
  ] as const;

  const REFUSED = [401, 403, 500];

  function expectRefused(answer: Answer, { who, what }: { who: Who; what: string }): void {
    expect(answer.statusCode, what).toBe(403);
    expect(answer.headers['x-rbac-subject'], what).toBe(ids.get(who));
    expect(answer.headers['x-rbac-object'], what).toMatch(/^[a-z._-]+$/);
  }

  async function askTable(name: string, rule: Rule, [method, action, query]: (typeof METHODS)[number]) {
    const isFunction = name.startsWith('rpc/');
    if (isFunction && (method === 'PATCH' || method === 'DELETE')) return;
    const allowed = method === 'GET' ? rule.read : rule.write;
    for (const who of PEOPLE) {
      const answer = await ask(who, method, `/api/db/${name}${query}`);
      const what = `${who}: ${method} ${name}`;
      if (!allowed.includes(who)) {
        expectRefused(answer, { who, what });
        expect(answer.headers['x-rbac-action'], what).toBe(action);
        expect(answer.body, what).toBe('unauthorized. Access Denied');
      } else if (method === 'GET' && !isFunction) expect(answer.statusCode, what).toBe(200);
      else expect(REFUSED, what).not.toContain(answer.statusCode);
    }
    expect((await ask('nobody', method, `/api/db/${name}${query}`)).statusCode).toBe(401);
  }

  it.each([...RULES])('%s', { timeout: PATIENCE_MS }, async (name, rule) => {
    await Promise.all(METHODS.map((method) => askTable(name, rule, method)));
  });

  it.each(ROUTES)('%s %s', { timeout: PATIENCE_MS }, async (method, url, allowed) => {
    for (const who of PEOPLE) {
      const answer = await ask(who, method, url);
      const what = `${who}: ${method} ${url}`;
      if (allowed.includes(who)) expect(REFUSED, what).not.toContain(answer.statusCode);
      else expectRefused(answer, { who, what });
    }
    expect((await ask('nobody', method, url)).statusCode).toBe(401);
  });
});
