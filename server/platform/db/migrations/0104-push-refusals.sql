-- At an agent: rows that its upstream server refused for what is in them. They wait here while the others go on, and are
-- tried again later, or at once when they change.
create table push_refusals (
  table_name text not null,
  key jsonb not null,
  -- Of the row as it was refused.
  version text not null,
  error text not null,
  tries integer not null default 1,
  refused_at timestamptz not null,
  retry_at timestamptz not null,
  primary key (table_name, key)
);
comment on table push_refusals is 'internal: rows that the upstream server refused; the job history PushUpstream names them';
