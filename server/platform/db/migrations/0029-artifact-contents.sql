-- The files that runs of checks leave: their contents, beside the rows that describe them. They go with their
-- check.

create table artifact_contents (
  artifact_id uuid primary key references artifacts (id) on delete cascade,
  content bytea not null
);
comment on table artifact_contents is 'internal: the files themselves; read by /api/artifacts/download';

alter table artifacts drop constraint artifacts_check_id_fkey;
alter table artifacts add constraint artifacts_check_id_fkey
  foreign key (check_id) references checks (id) on delete cascade;
create index artifacts_expires_at_idx on artifacts (expires_at);
