/** SQL of what events are about: the environment of filters and templates (schema §7.1), many at once. */
import { z } from 'zod';
import { jsonObject } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';

const subjectRow = z.strictObject({
  id: z.string(),
  /** By name of the environment: check, canary, status … */
  env: jsonObject,
  /** Ids above it, parents first; empty where it stands alone. */
  above: z.array(z.string()),
});
export type SubjectRow = z.infer<typeof subjectRow>;

const AGENT = (column: string) =>
  `(select jsonb_build_object('id', agents.id, 'name', agents.name) from agents where agents.id = ${column})`;
const PARTS = (path: string) => `string_to_array(nullif(${path}, ''), '.')`;

// Labels as every screen shows them: those of the canary, with the check's own on top (schema §1.6, check_summary).
const CHECKS = `
  select c.id, jsonb_build_object(
      'check', to_jsonb(c) - 'spec' || jsonb_build_object('labels', coalesce((select coalesce(canaries.labels, '{}')
        from canaries where canaries.id = c.canary_id), '{}') || coalesce(c.labels, '{}')),
      'canary', (select jsonb_build_object('id', canaries.id, 'name', canaries.name, 'namespace', canaries.namespace,
        'labels', coalesce(canaries.labels, '{}'), 'agent_id', canaries.agent_id) from canaries where canaries.id = c.canary_id),
      'status', (select to_jsonb(s) - 'check_id' from check_statuses as s where s.check_id = c.id order by s.time desc limit 1),
      'agent', ${AGENT('c.agent_id')}) as env,
    coalesce((
      select array_agg(distinct above.id) from (
        select unnest(array_append(coalesce(${PARTS('k.path')}, '{}'), k.id::text)) as id
          from check_component_relationships as link join components as k on k.id = link.component_id
         where link.check_id = c.id and link.deleted_at is null and k.deleted_at is null
        union
        select unnest(array_append(coalesce(${PARTS('i.path')}, '{}'), i.id::text))
          from check_config_relationships as link join config_items as i on i.id = link.config_id
         where link.check_id = c.id and link.deleted_at is null and i.deleted_at is null
      ) as above
    ), '{}') as above
  from checks as c where c.id = any($1::uuid[])`;

// The body of an item is large, and may quote what signs in.
const CONFIGS = `
  select i.id, jsonb_build_object('config', to_jsonb(i) - 'config', 'agent', ${AGENT('i.agent_id')}) as env,
    coalesce(${PARTS('i.path')}, '{}') as above
  from config_items as i where i.id = any($1::uuid[])`;

const COMPONENTS = `
  select k.id, jsonb_build_object('component', to_jsonb(k), 'agent', ${AGENT('k.agent_id')}) as env,
    coalesce(${PARTS('k.path')}, '{}') as above
  from components as k where k.id = any($1::uuid[])`;

const AUTHOR = (column: string) =>
  `(select jsonb_build_object('id', people.id, 'name', people.name) from people where people.id = ${column})`;

const INCIDENTS = `
  select i.id, jsonb_build_object('incident', to_jsonb(i), 'author', ${AUTHOR('i.created_by')}) as env,
    '{}'::text[] as above
  from incidents as i where i.id = any($1::uuid[])`;

const EVIDENCES = `
  select e.id, jsonb_build_object('evidence', to_jsonb(e), 'hypothesis', to_jsonb(h), 'incident', to_jsonb(i),
      'author', ${AUTHOR('e.created_by')}) as env, '{}'::text[] as above
  from evidences as e join hypotheses as h on h.id = e.hypothesis_id join incidents as i on i.id = h.incident_id
  where e.id = any($1::uuid[])`;

const RESPONDERS = `
  select r.id, jsonb_build_object('responder', to_jsonb(r) - 'properties', 'incident', to_jsonb(i),
      'author', ${AUTHOR('r.created_by')}) as env, '{}'::text[] as above
  from responders as r join incidents as i on i.id = r.incident_id where r.id = any($1::uuid[])`;

const PLAYBOOKS = `
  select p.id, jsonb_build_object('playbook', jsonb_build_object('id', p.id, 'name', p.name, 'title', p.title)) as env,
    '{}'::text[] as above
  from playbooks as p where p.id = any($1::uuid[])
  union all
  select a.id, jsonb_build_object('playbook', jsonb_build_object('id', p.id, 'name', p.name, 'title', p.title),
      'run', jsonb_build_object('id', run.id, 'status', run.status)), '{}'
  from playbook_approvals as a join playbook_runs as run on run.id = a.run_id
    join playbooks as p on p.id = run.playbook_id
  where a.id = any($1::uuid[])`;

// What is about the server itself: how many checks are unknown for it, and for how long.
const OUTAGES = `
  select o.id, jsonb_build_object('monitor', jsonb_build_object('type', o.kind, 'reason', o.reason, 'since', o.since,
      'ended_at', o.ended_at, 'name', coalesce((select agents.name from agents where agents.id = o.agent_id), o.name),
      'checks', (select count(*) from checks where blind_since is not null and deleted_at is null
        and (o.agent_id is null and not_run_reason = o.reason or checks.agent_id = o.agent_id)))) as env,
    '{}'::text[] as above
  from monitor_outages as o where o.id = any($1::uuid[])`;

export type SubjectKind =
  | 'monitor'
  | 'check'
  | 'config'
  | 'component'
  | 'incident'
  | 'evidence'
  | 'responder'
  | 'playbook';
const STATEMENTS: Readonly<Record<SubjectKind, string>> = {
  check: CHECKS,
  config: CONFIGS,
  component: COMPONENTS,
  incident: INCIDENTS,
  evidence: EVIDENCES,
  responder: RESPONDERS,
  playbook: PLAYBOOKS,
  monitor: OUTAGES,
};

/** Those of the ids that are there, also what was deleted softly. */
export function subjectsOf(db: Queryable, kind: SubjectKind, ids: readonly string[]): Promise<SubjectRow[]> {
  return db.rows(subjectRow, STATEMENTS[kind], [[...new Set(ids)]]);
}

const affectedRow = z.strictObject({ id: z.string() });

/** Some of the checks that nobody can see because of these; the first of each. */
export async function blindChecks(
  db: Queryable,
  outageIds: readonly string[],
  most: number,
): Promise<string[]> {
  const rows = await db.rows(
    affectedRow,
    `select checks.id from monitor_outages as o join checks on checks.blind_since is not null
        and checks.deleted_at is null
        and (o.agent_id is null and checks.not_run_reason = o.reason or checks.agent_id = o.agent_id)
      where o.id = any($1::uuid[]) order by checks.id limit $2`,
    [outageIds, most],
  );
  return rows.map(({ id }) => id);
}
