-- Devices keep what playbooks do, to be read and searched without a network. Literals that sign in are stars in the
-- column already (0035); a specification beyond any that people write stays on the server.
create or replace view feed_playbooks as
  select id, namespace, name, title, icon, description, category, source, created_by, created_at, updated_at,
    case when length(spec::text) <= 100000 then spec::text end as definition
  from playbooks where deleted_at is null;

-- Devices that have them already are sent them again.
do $$ begin perform log_change('playbooks', id::text, false) from playbooks; end $$;
