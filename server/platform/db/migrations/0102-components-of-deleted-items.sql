-- Insights of items that are gone do not count: a component's numbers change when one of its items is deleted, or comes
-- back, so the component does.
create function note_components_of_item() returns trigger language plpgsql as $$
begin
  perform log_change('components', link.component_id::text, false)
    from config_component_relationships as link where link.config_id = new.id and link.deleted_at is null;
  return null;
end $$;
create constraint trigger note_components_of_item after update on config_items deferrable initially deferred
  for each row when ((old.deleted_at is null) is distinct from (new.deleted_at is null))
  execute function note_components_of_item();
