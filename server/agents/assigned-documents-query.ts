/** SQL of what people keep here for agents to run. */
import { idRow, nameRow } from '../platform/db/row-schema.ts';
import type { Queryable } from '../platform/db/database.ts';

export type AssignedTable = 'canaries' | 'config_scrapers';

export interface AssignedPlace {
  /** Of a row that may be there already; null for a new one. */
  id: string | null;
  agentId: string;
  name: string;
  namespace: string;
}

/** Those of the agents that there are. */
export async function liveAgents(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.rows(
    idRow,
    'select id from agents where id = any($1::uuid[]) and deleted_at is null',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The name of one that its agent runs already; null when all are new there. */
export async function assignedWithName(
  db: Queryable,
  table: AssignedTable,
  places: readonly AssignedPlace[],
): Promise<string | null> {
  const [taken] = await db.rows(
    nameRow,
    `select own.name from ${table} as own
       join json_to_recordset($1::json) as input(id uuid, "agentId" uuid, name text, namespace text)
         on own.agent_id = input."agentId" and own.name = input.name
           and coalesce(own.namespace, 'default') = input.namespace
     where own.deleted_at is null and coalesce(own.source::text, '') in ('', 'UI')
       and own.id is distinct from input.id limit 1`,
    [JSON.stringify(places)],
  );
  return taken?.name ?? null;
}
