-- What whoever leaves a shift tells who comes next. Read by everybody who reads the product, on their devices, too.
create table shift_notes (
  id uuid primary key default generate_ulid(),
  text text not null check (length(text) between 1 and 50000),
  shift_from timestamptz not null,
  created_by uuid not null references people (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table shift_notes is 'internal: hand-over notes of shifts';
create trigger touch_updated_at before update on shift_notes for each row execute function touch_updated_at();
create index shift_notes_created_idx on shift_notes (created_at);
create index shift_notes_created_by_idx on shift_notes (created_by);

create constraint trigger note_new after insert or delete on shift_notes deferrable initially deferred for each row
  execute function note_change('resources', 'id');
create constraint trigger note_change after update on shift_notes deferrable initially deferred for each row
  when (to_jsonb(old) - '{updated_at}'::text[] is distinct from to_jsonb(new) - '{updated_at}'::text[])
  execute function note_change('resources', 'id');

do $$ begin
  execute 'create or replace view feed_resources as ' || rtrim(pg_get_viewdef('feed_resources'::regclass), ';') || '
    union all
    select shift_notes.id::text as id, ''shift_note'' as kind, row_to_json(own) as own
      from shift_notes cross join lateral (select shift_notes.text, shift_notes.shift_from, shift_notes.created_by,
        shift_notes.created_at, shift_notes.updated_at) as own';
end $$;
