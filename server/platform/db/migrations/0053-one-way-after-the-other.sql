-- What a device says of a message is a change of the history's row: screens that show it look again.
alter table notification_send_history add column receipt_at timestamptz;
comment on column notification_send_history.receipt_at is 'when a device last said something of it';

-- Mentions, calls for help and for approval go to a person by one way after the other, as messages of rules do: a row is
-- a person's and no browser's, and stays for a while after its end, for what devices still say of it.
alter table push_messages
  add column person_id uuid references people (id) on delete cascade,
  add column step integer not null default 0,
  add column ended_at timestamptz;
update push_messages as item set person_id = browser.person_id
  from push_subscriptions as browser where browser.id = item.subscription_id;
delete from push_messages as item using push_messages as other
  where other.person_id = item.person_id and other.id < item.id and other.comment_id is not distinct from item.comment_id
    and other.responder_id is not distinct from item.responder_id and other.run_id is not distinct from item.run_id;
alter table push_messages drop column subscription_id, alter column person_id set not null;
alter table push_messages
  add constraint push_messages_comment_key unique (person_id, comment_id),
  add constraint push_messages_responder_key unique (person_id, responder_id),
  add constraint push_messages_run_key unique (person_id, run_id);
drop index push_messages_due_idx;
create index push_messages_due_idx on push_messages (next_attempt_at) where ended_at is null;
comment on table push_messages is 'internal: what people are told of beside rules: mentions, calls for help and for approval';

alter table push_receipts
  add column message_id uuid references push_messages (id) on delete cascade,
  add constraint push_receipts_message_key unique (message_id, subscription_id);
comment on table push_receipts is 'internal: what devices say of what was pushed to them; without a delivery or message it was a test';

create or replace function push_mentions() returns trigger language plpgsql as $$
begin
  insert into push_messages (person_id, kind, incident_id, comment_id, created_by)
    select people.id, 'mention', new.incident_id, new.id, new.created_by
      from mentioned_people(new.comment) as mentioned
      join people on people.id::text = mentioned and people.deleted_at is null
     where people.id is distinct from new.created_by
       and (tg_op = 'INSERT' or mentioned not in (select mentioned_people(old.comment)))
    on conflict do nothing;
  return null;
end $$;

create or replace function push_responder() returns trigger language plpgsql as $$
begin
  insert into push_messages (person_id, kind, incident_id, responder_id, created_by)
    select people.id, 'responder', new.incident_id, new.id, new.created_by
      from people
     where people.deleted_at is null and people.id is distinct from new.created_by
       and (people.id = new.person_id or people.id in (
         select member.person_id from team_members as member where member.team_id = new.team_id))
    on conflict do nothing;
  return null;
end $$;

create or replace function push_approval() returns trigger language plpgsql as $$
begin
  insert into push_messages (person_id, kind, run_id, created_by)
    select people.id, 'approval', new.id, new.created_by
      from run_approvers(new.spec) as approver
      join people on people.id = approver and people.deleted_at is null
     where approver is distinct from new.created_by
    on conflict do nothing;
  return null;
end $$;
