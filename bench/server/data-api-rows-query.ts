/** Rows that the benchmark of the data API needs beside the seeded estate: insights, runs, notifications. */
import type { Database } from '../../server/platform/db/database.ts';

const ROWS = `
insert into config_analysis (config_id, analyzer, analysis_type, severity, status, first_observed, last_observed)
  select id, 'analyzer ' || place % 7, 'security', 'high', case when place % 3 = 0 then 'resolved' else 'open' end,
    now() - place * interval '1 minute', now()
  from (select id, row_number() over (order by id) as place from config_items limit 10000) as item;
insert into playbooks (name, namespace, spec, source)
  select 'playbook ' || place, 'bench', '{}', 'UI' from generate_series(1, 20) as place;
insert into playbook_runs (playbook_id, status, config_id, created_at, start_time)
  select (select id from playbooks where name = 'playbook ' || (1 + item.place % 20)), 'completed', item.id,
    now() - item.place * interval '1 minute', now() - item.place * interval '1 minute'
  from (select id, row_number() over (order by id) as place from config_items limit 10000) as item;
insert into notifications (name, events)
  select 'rule ' || place, '{config.unhealthy}' from generate_series(1, 5) as place;
insert into notification_send_history (notification_id, source_event, resource_id, status, created_at)
  select (select id from notifications where name = 'rule ' || (1 + item.place % 5)), 'config.unhealthy', item.id, 'sent',
    now() - item.place * interval '1 minute'
  from (select id, row_number() over (order by id) as place from config_items limit 10000) as item;
`;

/** Adds the rows to a seeded database. */
export async function addBenchRows(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.script(ROWS);
    // As a script, because it is given the time that many rows need.
    await tx.script('set constraints all immediate');
  });
  await db.script('analyze');
}

export interface BenchIds {
  config: string;
  check: string;
  incident: string;
}

/** The rows that the measured pages show: those with the most behind them. */
export async function pickIds(db: Database): Promise<BenchIds> {
  const first = async (sql: string) => {
    const id = await db.text(sql);
    if (id === null) throw new Error('the estate is empty');
    return id;
  };
  return {
    config: await first(
      'select config_id::text from config_changes group by config_id order by count(*) desc, config_id limit 1',
    ),
    check: await first(
      'select check_id::text from check_statuses group by check_id order by count(*) desc, check_id limit 1',
    ),
    incident: await first(
      'select incident_id::text from comments group by incident_id order by count(*) desc, incident_id limit 1',
    ),
  };
}

/** The type with the most config items. */
export async function largestType(db: Database): Promise<string> {
  return (await db.text('select type from config_items group by type order by count(*) desc limit 1')) ?? '';
}
