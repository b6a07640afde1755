/** SQL of the lines that agents keep open for calls to their clusters, and of where the servers that have them are. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import type { Lease } from '../../platform/jobs/held-lease.ts';

const tokenRow = z.strictObject({ token: z.number() });

/** Of a line that was opened now: greater than that of each line before. */
export async function lineToken(db: Queryable): Promise<number> {
  const [row] = await db.rows(tokenRow, `select nextval('lease_tokens') as token`);
  return row?.token ?? 0;
}

/** A line to this server. */
export interface NotedLine {
  server: string;
  token: number;
  at: Date;
  /** Which program opened it; null where it does not say. */
  program: string | null;
}

/** The agent opened its line to this server; 0 where it opened a newer one elsewhere meanwhile. */
export function noteLine(db: Queryable, agentId: string, line: NotedLine): Promise<number> {
  return db.run(
    `update agents set cluster_server = $2::text, cluster_token = $3::bigint, cluster_seen = $4::timestamptz,
       cluster_program = $5::text
      where id = $1 and coalesce(cluster_token, 0) < $3::bigint`,
    [agentId, line.server, line.token, line.at, line.program],
  );
}

/** The line ended; nothing where there is a newer one. */
export function noteLineGone(db: Queryable, agentId: string, token: number): Promise<number> {
  return db.run('update agents set cluster_server = null where id = $1 and cluster_token = $2::bigint', [
    agentId,
    token,
  ]);
}

/** While a server lives it has a lease with this and its name. */
const SERVER = 'cluster-server/';

/** Of the lease that says where this server is. */
export const serverLease = (server: string): string => `${SERVER}${server}`;

/** Others of this database find the lease's holder there, as long as it has the lease. */
export function noteAddress(db: Queryable, { name, token }: Lease, address: string): Promise<number> {
  return db.run('update leases set address = $3::text where name = $1 and token = $2::bigint', [
    name,
    token,
    address,
  ]);
}

const lineRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  cluster_server: z.string().nullable(),
  cluster_program: z.string().nullable(),
  server_address: z.string().nullable(),
  has_offered: z.boolean(),
  is_heard: z.boolean(),
});
export type AgentLine = z.infer<typeof lineRow>;

const LIVE = `leases.name = '${SERVER}' || cluster_server and leases.until > clock_timestamp()`;

/**
 * What is known of the line of the agent with this name; `heardSince`: one that was heard before is silent.
 * `server_address` is null unless the server that has the line lives, and says where.
 */
export async function findLine(db: Queryable, name: string, heardSince: Date): Promise<AgentLine | null> {
  const rows = await db.rows(
    lineRow,
    `select id, agents.name, cluster_server, cluster_program, leases.address as server_address,
       cluster_seen is not null as has_offered, coalesce(last_seen >= $2::timestamptz, false) as is_heard
      from agents left join leases on ${LIVE}
     where agents.name = $1 and deleted_at is null and person_id is not null`,
    [name, heardSince],
  );
  return rows[0] ?? null;
}

const foundRow = z.strictObject({ is_found: z.boolean() });

/** Whether the server lives and has the agent's line. */
export async function hasLine(db: Queryable, agentId: string, server: string): Promise<boolean> {
  const [row] = await db.rows(
    foundRow,
    `select exists (select from agents join leases on ${LIVE} where id = $1 and cluster_server = $2::text) as is_found`,
    [agentId, server],
  );
  return row?.is_found === true;
}
