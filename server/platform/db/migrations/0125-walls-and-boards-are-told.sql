-- No device keeps boards and settings of walls: the feed tells of a change, not of what is in it, and pages that show them
-- read them again. Until now a mark in each wall's person did that, so that nobody heard of it where no wall was paired.
create constraint trigger note_new after insert or delete on wall_boards deferrable initially deferred for each row
  execute function note_change('resources', 'id');
create constraint trigger note_change after update on wall_boards deferrable initially deferred for each row
  when (to_jsonb(old) - '{updated_at}'::text[] is distinct from to_jsonb(new) - '{updated_at}'::text[])
  execute function note_change('resources', 'id');

-- By the wall's person, which is new and is ended by itself.
create constraint trigger note_change after update on walls deferrable initially deferred for each row
  when (old is distinct from new) execute function note_change('resources', 'id');

update people set properties = nullif(properties - 'boards', '{}') where type = 'wall' and properties ? 'boards';
