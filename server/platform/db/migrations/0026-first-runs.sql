-- A first state is no change of state: who hears "became healthy" of a check's first run, or of an item that was
-- never judged before, hears of something that did not happen. That something fails is told also when it is the
-- first thing known.

drop trigger note_check_transition on checks;
create trigger note_check_transition before update of status on checks for each row
  when (new.status is distinct from old.status
    and not (coalesce(old.status, '') = '' and old.last_runtime is null))
  execute function note_check_transition();

drop trigger queue_check_event on checks;
create trigger queue_check_event after update of status on checks for each row
  when (old.status is distinct from new.status and (new.status = 'unhealthy'
    or new.status = 'healthy' and not (coalesce(old.status, '') = '' and old.last_runtime is null)))
  execute function queue_check_event();

drop trigger queue_config_health_on_update on config_items;
create trigger queue_config_health_on_update after update of health on config_items for each row
  when (coalesce(nullif(old.health, ''), 'unknown') <> coalesce(nullif(new.health, ''), 'unknown')
    and not (coalesce(old.health, '') = '' and new.health = 'healthy'))
  execute function queue_health_event('config');

drop trigger queue_component_health on components;
create trigger queue_component_health after update of health on components for each row
  when (coalesce(nullif(old.health, ''), 'unknown') <> coalesce(nullif(new.health, ''), 'unknown')
    and not (coalesce(old.health, '') = '' and new.health = 'healthy'))
  execute function queue_health_event('component');
