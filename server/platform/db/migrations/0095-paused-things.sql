-- What runs or tells by itself can be paused without losing when it would run. Canaries have an annotation for it.
alter table config_scrapers add column is_paused boolean not null default false;
alter table topologies add column is_paused boolean not null default false;
alter table notifications add column is_paused boolean not null default false;
comment on column config_scrapers.is_paused is 'runs only when somebody asks for it';
comment on column topologies.is_paused is 'is built only when somebody asks for it';
comment on column notifications.is_paused is 'tells nobody of anything';

-- The views as they are, with it at their ends.
do $$
declare
  asked record;
  before text;
  changed text;
begin
  for asked in
    select * from (values
      ('config_scrapers_with_status', 'config_scrapers.is_paused'),
      ('topologies_with_status', 'topologies.is_paused'),
      ('notifications_summary', 'notifications.is_paused'),
      ('canaries_with_status', '(coalesce(canaries.annotations ->> ''suspend'', '''') = ''true'' or coalesce(canaries.spec ->> ''replicas'', '''') = ''0'') as is_paused')
    ) as views (name, added)
  loop
    before := pg_get_viewdef(asked.name::regclass);
    changed := regexp_replace(before, E'\n   FROM ', E',\n    ' || asked.added || E'\n   FROM ');
    if before = changed then raise exception 'the view % has no columns to add to', asked.name; end if;
    execute format('create or replace view %I as %s', asked.name, changed);
  end loop;
end $$;

-- A canary is read again when its updated_at changed, which so far only its specification did: a pause (an annotation),
-- labels and a namespace were seen at the next restart.
create function touch_renamed_canary() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
create trigger touch_renamed before update on canaries
  for each row when (
    new.deleted_at is null and new.agent_id = '00000000-0000-0000-0000-000000000000'
    and (old.annotations is distinct from new.annotations or old.labels is distinct from new.labels
      or old.namespace is distinct from new.namespace)
  ) execute function touch_renamed_canary();
