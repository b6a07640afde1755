/**
 * What a data set keeps for agents to run: triggers rest while it comes in, so this asks for the rule of migration 0116.
 * An agent that was deleted may still have some: they stay as they were.
 */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import type { Problems } from './problems.ts';
import { toJson } from '../../platform/db/to-json.ts';

const twiceRow = z.strictObject({ id: z.string(), name: z.string() });

/** Adds each that its agent has once more under the same name to the problems. */
export async function checkAssigned(tx: Queryable, problems: Problems): Promise<void> {
  for (const table of ['canaries', 'config_scrapers']) {
    const rows = await tx.rows(
      twiceRow,
      `select id, name from (
         select id, name, row_number() over (
           partition by agent_id, name, coalesce(namespace, 'default') order by created_at, id) as place
         from ${table}
         where deleted_at is null and agent_id <> '00000000-0000-0000-0000-000000000000'
           and created_by is not null and coalesce(source::text, '') in ('', 'UI')) as placed
       where place > 1 order by id`,
      [],
    );
    for (const { id, name } of rows)
      problems.add({
        table,
        row: null,
        id: `id ${id}`,
        column: 'name',
        reason: `${toJson(name)} is there twice for the same agent`,
      });
  }
}
