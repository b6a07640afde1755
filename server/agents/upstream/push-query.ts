/** SQL of what agents push. Every statement writes rows of the one agent only, whatever ids a batch names. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import type { PushBatch } from './push-schema.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** A batch of an agent's: its rows of one table. */
interface Pushed<Row> {
  agentId: string;
  rows: readonly Row[];
}

/** Times without a zone are UTC, and a row may come before its parent, for this transaction. */
export async function readTimesAsUtc(tx: Queryable): Promise<void> {
  await tx.run(`set local time zone 'UTC'`);
  await tx.run('set constraints all deferred');
}

const ownedRow = z.strictObject({ id: z.string(), is_own: z.boolean() });

/** Those of the ids that are rows of this agent, and those that are somebody else's. */
export async function ownersOf(
  tx: Queryable,
  table: 'canaries' | 'checks',
  { agentId, ids }: { agentId: string; ids: readonly string[] },
): Promise<{ own: ReadonlySet<string>; others: ReadonlySet<string> }> {
  const rows = await tx.rows(
    ownedRow,
    `select id, agent_id = $2::uuid as is_own from ${table} where id = any($1::uuid[])`,
    [ids, agentId],
  );
  const idsOf = (isOwn: boolean) => new Set(rows.filter((row) => row.is_own === isOwn).map((row) => row.id));
  return { own: idsOf(true), others: idsOf(false) };
}

const CANARIES = `json_to_recordset($1::json) as input(id uuid, name text, namespace text, labels jsonb,
  annotations jsonb, spec jsonb, source text, created_at timestamptz, updated_at timestamptz, deleted_at timestamptz)`;

/**
 * The newer writing wins, by `updated_at` and `deleted_at`: what was changed on this server since stays. Answers how many
 * rows changed. Two statements instead of an upsert, whose insert would keep a spec's secrets even where nothing is
 * written.
 */
export async function storeCanaries(
  tx: Queryable,
  { agentId, rows }: Pushed<PushBatch['canaries'][number]>,
): Promise<number> {
  const params = [toJson(rows), agentId];
  const changed = await tx.run(
    `update canaries set name = input.name, namespace = input.namespace, labels = input.labels,
       annotations = input.annotations, spec = input.spec, source = input.source,
       updated_at = coalesce(input.updated_at, canaries.updated_at), deleted_at = input.deleted_at
     from ${CANARIES}
     where canaries.id = input.id and canaries.agent_id = $2::uuid
       and greatest(coalesce(input.updated_at, input.created_at), input.deleted_at)
         > coalesce(greatest(canaries.updated_at, canaries.deleted_at), '-infinity'::timestamptz)`,
    params,
  );
  const added = await tx.run(
    `insert into canaries (id, name, namespace, labels, annotations, spec, source, created_at, updated_at, deleted_at,
       agent_id)
     select input.id, input.name, input.namespace, input.labels, input.annotations, input.spec, input.source,
       coalesce(input.created_at, now()), coalesce(input.updated_at, input.created_at, now()), input.deleted_at,
       $2::uuid
     from ${CANARIES} where not exists (select from canaries where canaries.id = input.id)`,
    params,
  );
  return changed + added;
}

const CHECKS = `json_to_recordset($1::json) as input(id uuid, canary_id uuid, type text, name text, namespace text,
  description text, icon text, spec jsonb, labels jsonb, owner text, severity text, category text, transformed boolean,
  last_runtime timestamptz, last_transition_time timestamptz, next_runtime timestamptz, status text,
  not_run_reason text, created_at timestamptz, updated_at timestamptz, deleted_at timestamptz)`;

const CHECK_COLUMNS =
  `canary_id type name namespace description icon spec labels owner severity category transformed
  last_runtime next_runtime status not_run_reason deleted_at`.split(/\s+/);
const listOf = (table: string) => CHECK_COLUMNS.map((column) => `${table}.${column}`).join(', ');

/**
 * The agent says by its own clock when a check is to run next, and this server's decides whether that is overdue. What a
 * clock is off by less than the first step is left: it is told with each ping, a little otherwise each time.
 */
const AHEAD = `(select make_interval(secs => round(coalesce(clock_skew_ms, 0) / 10000.0) * 10) from agents where id = $2::uuid)`;

/**
 * No later than one turn from now, whatever the clock says and however far it is known to be off: from the last run to the next
 * one it is as long by any clock, and that run was before it was heard of. So no clock keeps a check green that is not run.
 */
const NEXT = `least(input.next_runtime - ${AHEAD},
  case when input.next_runtime > input.last_runtime then now() + (input.next_runtime - input.last_runtime) end)`;

/** As the table will have them: no secret in a spec, no status that nobody knows, gone with their canary. */
const SHOWN_CHECKS = `(select input.id, input.canary_id, input.type, input.name, input.namespace, input.description,
    input.icon, shown_spec(input.spec, false) as spec, input.labels, input.owner, input.severity, input.category,
    input.transformed, input.last_runtime, ${NEXT} as next_runtime, input.not_run_reason,
    input.updated_at,
    case when input.not_run_reason is null then input.status end as status,
    coalesce(input.deleted_at, canaries.deleted_at) as deleted_at
  from ${CHECKS} join canaries on canaries.id = input.canary_id) as input`;

/**
 * An agent has one check of a kind and name in a canary. Where it says that under another id its database began anew, and the
 * row before would keep the new one out for ever.
 */
async function retireReplaced(tx: Queryable, params: [string, string]): Promise<void> {
  await tx.run(
    `update checks set name = checks.name || ' (replaced ' || checks.id || ')', deleted_at = coalesce(checks.deleted_at, now())
     from ${CHECKS}
     where checks.agent_id = $2::uuid and checks.canary_id = input.canary_id and checks.type = input.type
       and checks.name = input.name and checks.id <> input.id
       and not exists (select from json_to_recordset($1::json) as sent(id uuid) where sent.id = checks.id)`,
    params,
  );
}

/**
 * A row of an earlier run than the one that is known changes nothing, unless that one was by a clock that was ahead: it
 * would keep a check as it was until the right clock is there. New checks are added without their state first, so
 * that a first failure is told as that of a check of this server is. Answers how many rows changed.
 */
export async function storeChecks(
  tx: Queryable,
  { agentId, rows }: Pushed<PushBatch['checks'][number]>,
): Promise<number> {
  const params: [string, string] = [toJson(rows), agentId];
  await retireReplaced(tx, params);
  await tx.run(
    `insert into checks (id, canary_id, type, name, agent_id, created_at, updated_at)
     select input.id, input.canary_id, input.type, input.name, $2::uuid, coalesce(input.created_at, now()),
       coalesce(input.updated_at, input.created_at, now())
     from ${CHECKS} where not exists (select from checks where checks.id = input.id)`,
    params,
  );
  const changed = await tx.run(
    `update checks set ${CHECK_COLUMNS.map((column) => `${column} = input.${column}`).join(', ')},
       blind_since = null, updated_at = coalesce(input.updated_at, checks.updated_at)
     from ${SHOWN_CHECKS}
     where checks.id = input.id and checks.agent_id = $2::uuid
       and (coalesce(input.last_runtime, '-infinity'::timestamptz)
           >= coalesce(checks.last_runtime, '-infinity'::timestamptz)
         or checks.last_runtime > now() + interval '1 minute')
       and (${listOf('checks')}) is distinct from (${listOf('input')})`,
    params,
  );
  // The database notes the moment in which it hears of a transition; the agent knows when it was.
  await tx.run(
    `update checks set last_transition_time = input.last_transition_time
     from ${CHECKS}
     where checks.id = input.id and checks.agent_id = $2::uuid and checks.blind_since is null
       and checks.last_runtime is not distinct from input.last_runtime
       and input.last_transition_time is not null
       and checks.last_transition_time is distinct from input.last_transition_time`,
    params,
  );
  return changed;
}

const SUM_AGAIN = (table: string, unit: string) => `
insert into ${table} (check_id, created_at, duration, total, passed, failed)
select run.check_id, wanted.slot, coalesce(sum(run.duration), 0), count(*),
  count(*) filter (where run.status), count(*) filter (where not run.status)
from (select distinct check_id, date_trunc('${unit}', time) as slot
  from json_to_recordset($1::json) as input(check_id uuid, time timestamptz)
  where time < now() - interval '2 ${unit}s') as wanted
join check_statuses as run on run.check_id = wanted.check_id
  and run.time >= wanted.slot and run.time < wanted.slot + interval '1 ${unit}'
group by 1, 2
on conflict (check_id, created_at) do update set duration = excluded.duration, total = excluded.total,
  passed = excluded.passed, failed = excluded.failed`;

/**
 * A run that is known already is left out. Summaries follow within a minute (health/results), and so do the sums of the
 * last hours; those of earlier ones are made here. Answers how many were new.
 */
export async function storeCheckStatuses(
  tx: Queryable,
  { agentId, rows }: Pushed<PushBatch['checkStatuses'][number]>,
): Promise<number> {
  const input = toJson(rows);
  const added = await tx.run(
    `insert into check_statuses (check_id, time, status, invalid, duration, message, error, details, created_at)
     select input.check_id, input.time, input.status, input.invalid, input.duration, input.message, input.error,
       input.details, coalesce(input.created_at, now())
     from json_to_recordset($1::json) as input(check_id uuid, time timestamptz, status boolean, invalid boolean,
       duration integer, message text, error text, details jsonb, created_at timestamptz)
     join checks on checks.id = input.check_id and checks.agent_id = $2::uuid
     on conflict (check_id, time) do nothing`,
    [input, agentId],
  );
  if (added > 0) {
    await tx.run(SUM_AGAIN('check_statuses_1h', 'hour'), [input]);
    await tx.run(SUM_AGAIN('check_statuses_1d', 'day'), [input]);
  }
  return added;
}
