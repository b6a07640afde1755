-- Log backends are read from now on: whoever wrote a specification last decides where its secrets may go, as with
-- canaries and scrapers (migration 0020). Rows from before count as nobody's until they are saved again.
create trigger note_grant after insert or update of spec on logging_backends
  for each row execute function note_grant();
create trigger forget_grant after delete on logging_backends for each row execute function note_grant();
