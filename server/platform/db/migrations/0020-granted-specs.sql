-- Which specifications were written last by somebody who may write connections: their references to mounted secrets
-- need no grant (docs/security.md). Decided by the database with the write itself, so that whatever comes in
-- another way, or is changed by anybody else, is nobody's word. The data API says for whom it writes
-- (`holdfast.may_grant`); rows from before, or from another server, count as nobody's until they are saved again.

create table granted_specs (
  row_id uuid primary key,
  granted_at timestamptz not null default clock_timestamp()
);
comment on table granted_specs is 'internal: specifications written last by somebody who may write connections';

create function note_grant() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from granted_specs where row_id = old.id;
  elsif current_setting('holdfast.may_grant', true) = 'yes' then
    insert into granted_specs (row_id) values (new.id) on conflict (row_id) do nothing;
  elsif tg_op = 'INSERT' then
    delete from granted_specs where row_id = new.id;
  elsif new.spec is distinct from old.spec then
    delete from granted_specs where row_id = new.id;
  end if;
  return null;
end $$;
create trigger note_grant after insert or update of spec on canaries
  for each row execute function note_grant();
create trigger forget_grant after delete on canaries for each row execute function note_grant();
create trigger note_grant after insert or update of spec on config_scrapers
  for each row execute function note_grant();
create trigger forget_grant after delete on config_scrapers for each row execute function note_grant();
create trigger note_grant after insert or update of spec on teams
  for each row execute function note_grant();
create trigger forget_grant after delete on teams for each row execute function note_grant();
