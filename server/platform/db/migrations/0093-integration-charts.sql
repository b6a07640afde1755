-- Heads and schemas of values of the charts that integrations are made of, as their registry had them when it was last
-- asked: the forms are there without a way out, too.
create table integration_charts (
  chart text primary key,
  name text not null,
  version text not null,
  description text not null,
  values_schema jsonb not null,
  read_at timestamptz not null
);
comment on table integration_charts is 'internal: charts as their registry had them';
