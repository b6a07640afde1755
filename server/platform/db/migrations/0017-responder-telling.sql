-- What it takes to tell outside systems each thing once, whatever was lost on the way.

-- Events of which a delivery has been told, or is about to be: the queue may bring one twice, when its process died
-- after it had noted it. Few for each (one for each change of the incident's status); they go with the responder.
create table responder_noted_events (
  responder_id uuid not null references responders (id) on delete cascade,
  event text not null,
  primary key (responder_id, event)
);
comment on table responder_noted_events is 'internal: which events outside systems were told of';

-- Attempts are counted afresh when somebody asks for another try; that there were some before stays known.
alter table responder_deliveries add column was_tried boolean not null default false;
alter table responder_messages add column was_tried boolean not null default false;
