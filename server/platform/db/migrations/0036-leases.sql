-- Who does what alone, and until when (docs/decisions/0019-leases.md): each lease has the number of the last time that
-- it was given out, which only grows, so that who lost it can be told from who has it.
create sequence lease_tokens as bigint;

create table leases (
  name text primary key,
  holder text not null,
  token bigint not null,
  until timestamptz not null
);
comment on table leases is 'internal: which server does what now';

-- Who runs a scraper, or looks after incidents, now stands in leases.
alter table scraper_runs drop column run_id, drop column claimed_until;
comment on table scraper_runs is 'internal: when a scraper ran';
alter table incident_rounds drop column run_id, drop column claimed_until;
comment on table incident_rounds is 'internal: when all incidents were looked after';
