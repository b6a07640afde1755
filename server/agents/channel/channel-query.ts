/** SQL of the lines that agents keep open for calls to their clusters. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';

/** The agent opened its line to this server. */
export function noteLine(db: Queryable, agentId: string, at: { server: string; at: Date }): Promise<number> {
  return db.run('update agents set cluster_server = $2::text, cluster_seen = $3::timestamptz where id = $1', [
    agentId,
    at.server,
    at.at,
  ]);
}

/** The line ended; nothing where another server has one meanwhile. */
export function noteLineGone(db: Queryable, agentId: string, server: string): Promise<number> {
  return db.run('update agents set cluster_server = null where id = $1 and cluster_server = $2::text', [
    agentId,
    server,
  ]);
}

const lineRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  cluster_server: z.string().nullable(),
  has_offered: z.boolean(),
  is_heard: z.boolean(),
});
export type AgentLine = z.infer<typeof lineRow>;

/** What is known of the line of the agent with this name; `heardSince`: one that was heard before is silent. */
export async function findLine(db: Queryable, name: string, heardSince: Date): Promise<AgentLine | null> {
  const rows = await db.rows(
    lineRow,
    `select id, name, cluster_server, cluster_seen is not null as has_offered,
       coalesce(last_seen >= $2::timestamptz, false) as is_heard
      from agents where name = $1 and deleted_at is null and person_id is not null`,
    [name, heardSince],
  );
  return rows[0] ?? null;
}
