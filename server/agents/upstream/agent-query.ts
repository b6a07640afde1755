/** SQL of agents as they call: who that is, when and with what clock it was heard. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

const agentRow = z.strictObject({ id: z.string(), name: z.string() });
export type KnownAgent = z.infer<typeof agentRow>;

/** The agent that signs in as this person; null when the person is no agent's, or its agent was removed. */
export async function findAgentOf(db: Queryable, personId: string): Promise<KnownAgent | null> {
  const rows = await db.rows(
    agentRow,
    'select id, name from agents where person_id = $1 and deleted_at is null',
    [personId],
  );
  return rows[0] ?? null;
}

/** What waits at an agent. */
export interface Backlog {
  rows: number;
  /** Of the oldest run that waits. */
  since: string | null;
  /** Runs that it gave up so far. */
  thinned: number;
}

export interface Heard {
  at: Date;
  version: string | null;
  hostname: string | null;
  /** How far the agent's clock is ahead of ours, in ms; null when it did not say. */
  skewMs: number | null;
  /** What it has still to push; null when it did not say. */
  backlog: Backlog | null;
}

/** A sign of life; what the agent did not say of itself stays as it was. */
export function noteHeard(db: Queryable, agentId: string, heard: Heard): Promise<number> {
  const { at, version, hostname, skewMs, backlog } = heard;
  return db.run(
    `update agents set last_seen = $2::timestamptz, version = coalesce($3::text, version),
       hostname = coalesce($4::text, hostname), clock_skew_ms = coalesce($5::bigint, clock_skew_ms),
       backlog_rows = coalesce($6::bigint, backlog_rows), thinned_rows = coalesce($7::bigint, thinned_rows),
       backlog_since = case when $6::bigint is null then backlog_since else $8::timestamptz end
      where id = $1`,
    [
      agentId,
      at,
      version,
      hostname,
      skewMs,
      backlog?.rows ?? null,
      backlog?.thinned ?? null,
      backlog?.since ?? null,
    ],
  );
}

/**
 * Data came. Holds other batches of the same agent, and its deletion, until this transaction ends; 0 where the agent was
 * deleted meanwhile.
 */
export function noteReceived(tx: Queryable, agentId: string, at: Date): Promise<number> {
  return tx.run(
    `update agents set last_seen = $2::timestamptz, last_received = $2::timestamptz
      where id = $1 and deleted_at is null`,
    [agentId, at],
  );
}
