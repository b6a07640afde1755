-- A component's place among those beside it stands beside its row (migration 0110): where only that changes at an agent, the
-- row goes upstream again with it.
create function push_component_again() returns trigger language plpgsql as $$
begin
  update components set is_pushed = false where id = new.component_id and is_pushed;
  return null;
end $$;
create trigger push_component_again after update of "order" on component_own_states
  for each row when (old."order" is distinct from new."order") execute function push_component_again();
