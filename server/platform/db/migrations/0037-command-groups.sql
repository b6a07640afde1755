-- Commands of one transaction (server/replication/commands/run-group.ts) were done one after the other and are shown in
-- that order: what a device sent together is not of the same moment.
alter table incidents alter column created_at set default statement_timestamp();
alter table hypotheses alter column created_at set default statement_timestamp();
alter table evidences alter column created_at set default statement_timestamp();
alter table comments alter column created_at set default statement_timestamp();
alter table responders alter column created_at set default statement_timestamp();
alter table playbook_runs alter column created_at set default statement_timestamp();
