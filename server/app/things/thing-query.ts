/** SQL of single things that are set up, as a command changes them. */
import { z } from 'zod';
import { THINGS, type ThingTable } from '../../../src/domain/bulk/things.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { jsonObject } from '../../platform/db/row-schema.ts';

const thingRow = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  source: z.string().nullable(),
  agent_id: z.string().nullable(),
  created_by: z.string().nullable(),
  labels: jsonObject.nullable(),
  annotations: jsonObject.nullable(),
  /** Of a document that says itself how often it runs. */
  replicas: z.string().nullable(),
  /** Of what is over at a time. */
  from_at: z.string().nullable(),
  until_at: z.string().nullable(),
});
export type ThingRow = z.infer<typeof thingRow>;

/** The row, kept as it is until the transaction ends; null when it is gone. Columns that a table lacks are null. */
export async function lockThing(tx: Queryable, table: ThingTable, id: string): Promise<ThingRow | null> {
  // A name of our own list, never of a request.
  const known = Object.hasOwn(THINGS, table) ? table : null;
  if (known === null) return null;
  const [row] = await tx.rows(
    thingRow,
    `select id, told ->> 'name' as name, told ->> 'source' as source, told ->> 'agent_id' as agent_id,
       told ->> 'created_by' as created_by,
       nullif(told -> 'labels', 'null') as labels, nullif(told -> 'annotations', 'null') as annotations,
       told ->> 'replicas' as replicas, told ->> 'from' as from_at, told ->> 'until' as until_at
     from (
       select id, jsonb_build_object('name', to_jsonb(own) -> 'name', 'source', to_jsonb(own) -> 'source',
           'agent_id', to_jsonb(own) -> 'agent_id', 'created_by', to_jsonb(own) -> 'created_by', 'labels', to_jsonb(own) -> 'labels',
           'annotations', to_jsonb(own) -> 'annotations',
           'replicas', to_jsonb(own) -> 'spec' ->> 'replicas',
           'from', to_jsonb(own) -> 'from', 'until', to_jsonb(own) -> 'until') as told
       from ${known} as own where id = $1 and deleted_at is null for no key update
     ) as read`,
    [id],
  );
  return row ?? null;
}
