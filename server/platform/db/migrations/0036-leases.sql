-- Who does what alone, and until when (docs/decisions/0015-leases.md): each lease has the number of the last time that
-- it was given out, which only grows, so that who lost it can be told from who has it. The same number stands in each
-- row of a queue that was taken up; there `leased_until` null says that nobody has it.
create sequence lease_tokens as bigint;

create table leases (
  name text primary key,
  holder text not null,
  token bigint not null,
  until timestamptz not null
);
comment on table leases is 'internal: which server does what now';

alter table identity_mails add column lease_token bigint not null default 0, add column leased_until timestamptz;
alter table push_messages add column lease_token bigint not null default 0, add column leased_until timestamptz;
alter table responder_deliveries add column lease_token bigint not null default 0, add column leased_until timestamptz;
alter table responder_messages add column lease_token bigint not null default 0, add column leased_until timestamptz;
alter table command_effects add column lease_token bigint not null default 0, add column leased_until timestamptz,
  add column attempts integer not null default 0, add column next_attempt_at timestamptz not null default now();

-- That a delivery is being made is no news to devices.
drop trigger note_change on responder_deliveries;
create constraint trigger note_change after update on responder_deliveries deferrable initially deferred for each row
  when (to_jsonb(old) - '{next_attempt_at,read_until,updated_at,lease_token,leased_until}'::text[]
    is distinct from to_jsonb(new) - '{next_attempt_at,read_until,updated_at,lease_token,leased_until}'::text[])
  execute function note_change('incident_records', 'responder_id');

-- Who runs a scraper, or looks after incidents, now stands in leases.
alter table scraper_runs drop column run_id, drop column claimed_until;
comment on table scraper_runs is 'internal: when a scraper ran';
alter table incident_rounds drop column run_id, drop column claimed_until;
comment on table incident_rounds is 'internal: when all incidents were looked after';
