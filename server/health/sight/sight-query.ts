/** SQL of when this server, or an agent, could not see, and of the checks that are unknown for that. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
const EVENTS = { cutOff: 'monitor.cut_off', back: 'monitor.back' } as const;

export interface NewOutage {
  kind: 'network' | 'agent' | 'clock';
  /** Of the server, or the agent's id. */
  name: string;
  agentId?: string;
  reason: string;
  since: Date;
  /** Of one that is over already. */
  endedAt?: Date;
  /** Began so long ago that nobody is told of it, nor of its end. */
  isOld?: boolean;
}

/** Notes it, once while it lasts. */
export function openOutage(db: Queryable, outage: NewOutage): Promise<number> {
  return db.run(
    `insert into monitor_outages (kind, name, agent_id, reason, since, ended_at, told_at, back_told_at)
     values ($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, case when $7::boolean then now() end,
       case when $7::boolean then now() end)
     on conflict (kind, name) where ended_at is null do nothing`,
    [
      outage.kind,
      outage.name,
      outage.agentId ?? null,
      outage.reason,
      outage.since,
      outage.endedAt ?? null,
      outage.isOld === true,
    ],
  );
}

/** The server can see again; what was open of an earlier start of it ends with that, too. */
export function endOutages(db: Queryable, name: string, now: Date): Promise<number> {
  return db.run(
    `update monitor_outages set ended_at = $2::timestamptz where kind = 'network' and name = $1 and ended_at is null`,
    [name, now],
  );
}

const agentRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  last_seen: z.string(),
  is_old: z.boolean(),
});
export type SilentAgent = z.infer<typeof agentRow>;

/**
 * Agents that were heard of, but not after `silent`, and are not said to be silent yet; `is_old` where that was before
 * `forgotten`, as after an import or a long stop of this server.
 */
export function silentAgents(
  db: Queryable,
  { silent, forgotten }: { silent: Date; forgotten: Date },
): Promise<SilentAgent[]> {
  return db.rows(
    agentRow,
    `select id, name, last_seen, last_seen <= $2::timestamptz as is_old from agents
      where deleted_at is null and last_seen < $1::timestamptz
        and not exists (select from monitor_outages as known
          where known.agent_id = agents.id and known.ended_at is null)
      order by id`,
    [silent, forgotten],
  );
}

/** What an agent says of its checks is not known while it is silent. */
export function blindAgentChecks(
  db: Queryable,
  { id, reason, since }: { id: string; reason: string; since: Date },
): Promise<number> {
  return db.run(
    `update checks set seen_status = status, status = null, not_run_reason = $2, blind_since = $3::timestamptz
      where agent_id = $1 and deleted_at is null and status is not null and blind_since is null`,
    [id, reason, since],
  );
}

/** What is kept of an agent that was deleted is unknown since then: nobody looks any more. Answers how many checks. */
export function blindChecksOfDeleted(db: Queryable): Promise<number> {
  return db.run(
    `update checks set seen_status = status, status = null, blind_since = agents.deleted_at,
       not_run_reason = 'unknown since ' || to_char(agents.deleted_at at time zone 'UTC', '${ISO}')
         || ': the agent ' || agents.name || ' was deleted'
      from agents
      where agents.deleted_at is not null and not agents.cleanup and checks.agent_id = agents.id
        and agents.id <> '00000000-0000-0000-0000-000000000000'
        and checks.deleted_at is null and checks.status is not null`,
  );
}

/**
 * Agents that spoke again, or are gone. What those that spoke said last counts again where the check was not due since
 * then; that of others is old by now, and stays unknown until the agent says how it is. Answers how many agents.
 */
export async function endAgentOutages(db: Queryable, silent: Date, now: Date): Promise<number> {
  const rows = await db.rows(
    z.strictObject({ agent_id: z.string(), is_back: z.boolean() }),
    // Of one that is gone nobody is told that it sees again.
    `update monitor_outages as outage set ended_at = $2::timestamptz,
       back_told_at = case when agents.deleted_at is not null then $2::timestamptz else outage.back_told_at end
      from agents
      where outage.kind = 'agent' and outage.ended_at is null and agents.id = outage.agent_id
        and (agents.last_seen >= $1::timestamptz or agents.deleted_at is not null)
     returning outage.agent_id, agents.deleted_at is null as is_back`,
    [silent, now],
  );
  const ids = rows.filter((row) => row.is_back).map(({ agent_id: id }) => id);
  await db.run(
    `update checks set status = coalesce(status, seen_status), not_run_reason = null, blind_since = null
      where agent_id = any($1::uuid[]) and blind_since is not null
        and coalesce(next_runtime > $2::timestamptz, true)`,
    [ids, now],
  );
  await db.run(
    `update checks set not_run_reason = 'unknown since ' || to_char(blind_since at time zone 'UTC', '${ISO}')
        || ': the agent ' || agents.name || ' is back and has not told of this check since'
      from agents
      where checks.agent_id = any($1::uuid[]) and checks.blind_since is not null and agents.id = checks.agent_id`,
    [ids],
  );
  return rows.length;
}

/** A check that failed while nobody could see is unknown since then; what it was before is kept. */
export function markBlind(
  db: Queryable,
  { id, reason, since }: { id: string; reason: string; since: Date },
): Promise<number> {
  return db.run(
    `update checks set seen_status = coalesce(status, seen_status), status = null, not_run_reason = $2,
       blind_since = $3::timestamptz
      where id = $1 and (blind_since is null or not_run_reason is distinct from $2)`,
    [id, reason, since],
  );
}

/** Has rules asked about what began before `before` and is not told yet, and about what is over. Answers how many. */
export async function tellOutages(db: Queryable, before: Date, now: Date): Promise<number> {
  // What came back at once was no news.
  await db.run(
    `update monitor_outages set told_at = $1::timestamptz
      where told_at is null and kind <> 'clock' and ended_at is not null`,
    [now],
  );
  const begun = await db.run(
    `with told as (update monitor_outages set told_at = $2::timestamptz
       where told_at is null and (since < $1::timestamptz or kind = 'clock') returning id)
     insert into notification_events (name, about)
       select '${EVENTS.cutOff}', jsonb_build_object('id', id) from told on conflict do nothing`,
    [before, now],
  );
  const over = await db.run(
    `with told as (update monitor_outages set back_told_at = $1::timestamptz
       where back_told_at is null and kind <> 'clock' and ended_at is not null and told_at < ended_at returning id)
     insert into notification_events (name, about)
       select '${EVENTS.back}', jsonb_build_object('id', id) from told on conflict do nothing`,
    [now],
  );
  return begun + over;
}
