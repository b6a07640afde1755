/**
 * The change log (design §4 law 2; docs/decisions/0011): one current entry per replicated entity, numbered in
 * commit order. The number is drawn at commit, by deferred triggers, under a lock that is held until the commit is
 * visible; so no reader ever sees a number before all smaller ones. Nothing else runs after these triggers, so
 * transactions meet on that lock last and can't deadlock there.
 */
import { FEED_VIEWS } from './0004-feed-views.ts';

/** A replicated table: which collection its rows belong to, and by which of its columns the entity is named. */
interface Source {
  table: string;
  collection: string;
  key: string;
  /** Columns whose change alone is no news. */
  ignore?: string;
}

const SOURCES: readonly Source[] = [
  { table: 'incidents', collection: 'incidents', key: 'id' },
  { table: 'hypotheses', collection: 'incident_records', key: 'id' },
  { table: 'evidences', collection: 'incident_records', key: 'id' },
  { table: 'comments', collection: 'incident_records', key: 'id' },
  { table: 'responders', collection: 'incident_records', key: 'id' },
  { table: 'incident_histories', collection: 'incident_records', key: 'id' },
  { table: 'canaries', collection: 'canaries', key: 'id' },
  { table: 'components', collection: 'components', key: 'id' },
  { table: 'playbooks', collection: 'playbooks', key: 'id' },
  { table: 'playbook_runs', collection: 'playbook_runs', key: 'id' },
  { table: 'playbook_run_actions', collection: 'playbook_runs', key: 'playbook_run_id' },
  { table: 'notification_send_history', collection: 'notification_history', key: 'id' },
  { table: 'config_items', collection: 'configs', key: 'id', ignore: 'last_scraped_time' },
  { table: 'config_analysis', collection: 'config_insights', key: 'id' },
  { table: 'config_changes', collection: 'config_changes', key: 'id' },
  { table: 'config_relationships', collection: 'config_relationships', key: 'related_id,config_id,relation' },
  { table: 'job_history', collection: 'job_histories', key: 'id' },
  { table: 'connections', collection: 'connections', key: 'id' },
  { table: 'teams', collection: 'resources', key: 'id' },
  { table: 'team_members', collection: 'resources', key: 'team_id' },
  { table: 'people', collection: 'resources', key: 'id', ignore: 'last_login' },
  { table: 'agents', collection: 'resources', key: 'id', ignore: 'last_seen,last_received' },
  { table: 'topologies', collection: 'resources', key: 'id' },
  { table: 'config_scrapers', collection: 'resources', key: 'id' },
  { table: 'notifications', collection: 'resources', key: 'id' },
  { table: 'notification_silences', collection: 'resources', key: 'id' },
];

const NO_NEWS = 'is_pushed,updated_at';

function triggersOf({ table, collection, key, ignore }: Source): string {
  const ignored = `'{${[NO_NEWS, ignore].filter(Boolean).join(',')}}'::text[]`;
  const run = `execute function note_change('${collection}', '${key}')`;
  const defer = 'deferrable initially deferred for each row';
  return `create constraint trigger note_new after insert or delete on ${table} ${defer} ${run};
create constraint trigger note_change after update on ${table} ${defer}
  when (to_jsonb(old) - ${ignored} is distinct from to_jsonb(new) - ${ignored}) ${run};`;
}

export const up = `
create table change_log_state (
  is_only boolean primary key default true check (is_only),
  epoch text not null,
  -- Entries of vanished entities up to here were forgotten: an older cursor has to start over.
  horizon bigint not null
);
insert into change_log_state (epoch, horizon) values (left(replace(gen_random_uuid()::text, '-', ''), 12), 0);

create sequence change_log_number;
create table change_log (
  collection text not null,
  entity_id text not null,
  seq bigint not null,
  is_minor boolean not null,
  major_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (collection, entity_id)
);
create unique index change_log_seq_key on change_log (seq);
create index change_log_changed_at_idx on change_log (changed_at);
create index change_log_collection_idx on change_log (collection, seq);

-- Only from deferred triggers, that is at commit. The lock is held until the commit is visible, so numbers become
-- visible in their order; what a rollback leaves out was never given to anybody.
-- A minor change is worth telling, but not worth waking anybody for. What was major a moment ago stays so, or
-- readers that come by for major changes only would hear of it late.
create function log_change(kind text, entity text, minor boolean) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7105334022);
  insert into change_log as log (collection, entity_id, seq, is_minor, major_at)
    values (kind, entity, nextval('change_log_number'), minor, case when not minor then clock_timestamp() end)
    on conflict (collection, entity_id) do update set
      seq = excluded.seq,
      is_minor = excluded.is_minor
        and (log.major_at is null or log.major_at < clock_timestamp() - interval '5 seconds'),
      major_at = coalesce(excluded.major_at, log.major_at),
      changed_at = excluded.changed_at;
end $$;

-- Arguments: collection, and the columns whose values, joined by colons, are the entity's id.
create function note_change() returns trigger language plpgsql as $$
declare
  fields jsonb;
  entity text;
begin
  if tg_op = 'DELETE' then fields := to_jsonb(old); else fields := to_jsonb(new); end if;
  select string_agg(coalesce(fields ->> part, ''), ':' order by place) into entity
    from unnest(string_to_array(tg_argv[1], ',')) with ordinality as parts (part, place);
  if entity <> '' then
    perform log_change(tg_argv[0], entity, false);
  end if;
  return null;
end $$;

${SOURCES.map(triggersOf).join('\n')}

create function note_property() returns trigger language plpgsql as $$
begin
  perform log_change('resources', 'property:' || coalesce(new.name, old.name), false);
  return null;
end $$;
create constraint trigger note_change after insert or update or delete on properties
  deferrable initially deferred for each row execute function note_property();

-- A check that ran again with the same result says so in minor changes.
create function note_check_change() returns trigger language plpgsql as $$
declare
  running constant text[] := '{last_runtime,next_runtime,updated_at,is_pushed}';
begin
  if tg_op = 'DELETE' then
    perform log_change('checks', old.id::text, false);
  elsif tg_op = 'INSERT' then
    perform log_change('checks', new.id::text, false);
  else
    perform log_change('checks', new.id::text, to_jsonb(old) - running = to_jsonb(new) - running);
  end if;
  return null;
end $$;
create constraint trigger note_change after insert or update or delete on checks
  deferrable initially deferred for each row execute function note_check_change();

create function note_check_summary() returns trigger language plpgsql as $$
begin
  perform log_change('checks', new.check_id::text, true);
  return null;
end $$;
create constraint trigger note_change after insert or update on check_status_summary
  deferrable initially deferred for each row execute function note_check_summary();

-- A check shows its canary's name and labels, and its agent's name.
create function note_checks_of_canary() returns trigger language plpgsql as $$
begin
  perform log_change('checks', checks.id::text, false) from checks where checks.canary_id = new.id;
  return null;
end $$;
create constraint trigger note_checks after update on canaries deferrable initially deferred for each row
  when (old.name is distinct from new.name or old.namespace is distinct from new.namespace
    or old.labels is distinct from new.labels)
  execute function note_checks_of_canary();
create function note_checks_of_agent() returns trigger language plpgsql as $$
begin
  perform log_change('checks', checks.id::text, false) from checks where checks.agent_id = new.id;
  return null;
end $$;
create constraint trigger note_checks after update on agents deferrable initially deferred for each row
  when (old.name is distinct from new.name) execute function note_checks_of_agent();

-- The newest job of a canary says whether it could be loaded.
create function note_canary_of_job() returns trigger language plpgsql as $$
begin
  perform log_change('canaries', coalesce(new.resource_id, old.resource_id), false);
  return null;
end $$;
create constraint trigger note_canary after insert or update on job_history deferrable initially deferred for each row
  when (new.resource_type = 'canary' and new.resource_id is not null) execute function note_canary_of_job();
create constraint trigger note_canary_gone after delete on job_history deferrable initially deferred for each row
  when (old.resource_type = 'canary' and old.resource_id is not null) execute function note_canary_of_job();

-- An incident that goes out of everybody's sight, or comes back, takes its records along.
create function note_records_of_incident() returns trigger language plpgsql as $$
begin
  perform log_change('incident_records', record.id::text, false) from (
    select id from hypotheses where incident_id = new.id
    union all select evidences.id from evidences
      join hypotheses on hypotheses.id = evidences.hypothesis_id where hypotheses.incident_id = new.id
    union all select id from comments where incident_id = new.id
    union all select id from responders where incident_id = new.id
    union all select id from incident_histories where incident_id = new.id
  ) as record;
  return null;
end $$;
${FEED_VIEWS}
create constraint trigger note_records after update on incidents deferrable initially deferred for each row
  when (old.closed is distinct from new.closed and least(old.closed, new.closed) < now() - interval '30 days')
  execute function note_records_of_incident();
`;
