/** SQL of what teams' outside systems offer to forms: kept as config items of class Responder (schema §8.2). */
import { z } from 'zod';
import { jsonObject } from '../../platform/db/row-schema.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { toJson } from '../../platform/db/to-json.ts';

const teamWithOptions = z.strictObject({
  id: z.string(),
  clients: jsonObject,
  /** See CallRow. */
  is_granted: z.boolean(),
});
export type TeamWithOptions = z.infer<typeof teamWithOptions>;

/** Live teams with such a client that leads somewhere, whose lists are older than the team itself, or than `before`. */
export function teamsWithOldOptions(
  db: Queryable,
  { job, client, before }: { job: string; client: string; before: Date },
): Promise<TeamWithOptions[]> {
  return db.rows(
    teamWithOptions,
    `select t.id, t.spec -> 'responder_clients' as clients,
       exists (select 1 from granted_specs where row_id = t.id) as is_granted
     from teams t
      where t.deleted_at is null
        and coalesce(t.spec #>> array['responder_clients', $2, 'url'],
          t.spec #>> array['responder_clients', $2, 'connection'], '') <> ''
        and not exists (
          select from job_history j where j.resource_type = 'team' and j.resource_id = t.id::text and j.name = $1
            and j.time_start >= greatest($3::timestamptz, t.updated_at))
      order by t.id`,
    [job, client, before],
  );
}

const sameRow = z.strictObject({ is_same: z.boolean().nullable() });

/** Same lists again change nothing. */
export async function keepOptions(
  tx: Queryable,
  { teamId, type, options }: { teamId: string; type: string; options: unknown },
): Promise<boolean> {
  const config = toJson(options);
  const known = await tx.rows(
    sameRow,
    `select config = $3::jsonb and deleted_at is null as is_same from config_items
      where config_class = 'Responder' and type = $2 and external_id @> array[$1::text] for update`,
    [teamId, type, config],
  );
  if (known.some((item) => item.is_same)) return false;
  if (known.length > 0)
    await tx.run(
      `update config_items set config = $3::jsonb, deleted_at = null, delete_reason = null
        where config_class = 'Responder' and type = $2 and external_id @> array[$1::text]`,
      [teamId, type, config],
    );
  else
    await tx.run(
      `insert into config_items (config_class, type, name, external_id, config)
       select 'Responder', $2, name, array[$1::text], $3::jsonb from teams where id::text = $1`,
      [teamId, type, config],
    );
  return true;
}
