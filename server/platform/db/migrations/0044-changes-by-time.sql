-- The first page of all changes of some days, and how many there are of each type, come from the index alone.
drop index config_changes_created_at_idx;
create index config_changes_created_at_idx on config_changes (created_at, id) include (change_type, config_id);
