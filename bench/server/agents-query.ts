/** What an agent found while it was cut off, and how much of it is upstream. */
import { z } from 'zod';
import type { Database } from '../../server/platform/db/database.ts';

/** So many checks, each of which ran each minute for so many hours, and failed for a while. */
export async function seedHours(db: Database, checks: number, hours: number): Promise<number> {
  await db.run(
    `with canary as (insert into canaries (name, namespace, spec, source)
       select 'site ' || number, 'default', '{}', 'site.yaml' from generate_series(1, $1) as number returning id)
     insert into checks (canary_id, type, name, status, last_runtime, created_at, updated_at)
     select id, 'http', 'home', 'healthy', now(), now(), now() from canary`,
    [checks],
  );
  let runs = 0;
  // Oldest first, as they were; by the hour, which a statement's time is enough for.
  for (let hour = hours; hour > 0; hour -= 1)
    runs += await db.run(
      `insert into check_statuses (check_id, time, status, duration, message)
       select id, now() - minute * interval '1 minute', minute % 97 > 3, 12, 'answered in time'
       from generate_series($1::int * 60, $1::int * 60 - 59, -1) as minute, checks`,
      [hour],
    );
  return runs;
}

const stateRow = z.strictObject({ checks: z.number(), newest: z.string().nullable() });

/** What the agent's server has of it: checks with a state, and the newest run, by index: looking must not slow it down. */
export async function readArrived(db: Database, agentId: string): Promise<z.infer<typeof stateRow>> {
  const [row] = await db.rows(
    stateRow,
    `select count(*) filter (where own.last_runtime is not null)::float8 as checks, max(last.time)::text as newest
     from checks as own
     left join lateral (select time from check_statuses where check_id = own.id order by time desc limit 1) as last on true
     where own.agent_id = $1`,
    [agentId],
  );
  return row ?? { checks: 0, newest: null };
}

/** Runs of all checks; reads all of them. */
export async function countRuns(db: Database): Promise<number> {
  return Number(await db.text('select count(*)::text from check_statuses'));
}

/** Runs that wait at the agent and are older than this by more than that: those should have gone first. */
export async function readLeftBehind(db: Database, newest: string, minutes: number): Promise<number> {
  const count = await db.text(
    `select count(*)::text from (select from check_statuses
       where not is_pushed and time < $1::timestamptz - $2 * interval '1 minute' limit 1000) as older`,
    [newest, minutes],
  );
  return Number(count);
}
