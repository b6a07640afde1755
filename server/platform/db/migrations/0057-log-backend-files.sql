-- Log backends of files (docs/logs.md): which file each came from, and its specification as the file has it: what somebody
-- wrote over it since is not the operator's word.
create table log_backend_files (
  backend_id uuid primary key references logging_backends (id) on delete cascade,
  file text not null,
  spec_mark text not null default ''
);
create index log_backend_files_file_idx on log_backend_files (file);
comment on table log_backend_files is 'internal: which file on the server a log backend came from';
