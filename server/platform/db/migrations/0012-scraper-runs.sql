-- Which server runs a scraper now and when a run last went well, and which file of this server's a scraper came
-- from. Not replicated, not exported: both are of this place and moment.

create table scraper_runs (
  scraper_id uuid primary key references config_scrapers (id) on delete cascade,
  run_id text not null,
  started_at timestamptz not null,
  claimed_until timestamptz not null,
  last_good_at timestamptz
);

create table scraper_files (
  scraper_id uuid primary key references config_scrapers (id) on delete cascade,
  file text not null
);
create index scraper_files_file_idx on scraper_files (file);
comment on table scraper_runs is 'internal: who runs a scraper now';
comment on table scraper_files is 'internal: where a scraper came from';
