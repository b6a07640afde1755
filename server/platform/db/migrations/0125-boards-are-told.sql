-- No device keeps boards: the feed tells of a change, not of what is in it, and pages that show boards read them again.
-- Until now that was told by the walls' own rows alone, so that nobody heard of it where no wall was paired.
create constraint trigger note_new after insert or delete on wall_boards deferrable initially deferred for each row
  execute function note_change('resources', 'id');
create constraint trigger note_change after update on wall_boards deferrable initially deferred for each row
  when (to_jsonb(old) - '{updated_at}'::text[] is distinct from to_jsonb(new) - '{updated_at}'::text[])
  execute function note_change('resources', 'id');
