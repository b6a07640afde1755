/** SQL of the sealing of kept literals (migration 0034). */
import type { Queryable } from '../platform/db/database.ts';
import type { KeptTable } from '../platform/crypto/sealed-values.ts';

export interface KeptRow {
  id: string;
  path: string;
  value: string;
}

const OWNER: Readonly<Record<KeptTable, string>> = { spec_secrets: 'row_id', team_secrets: 'team_id' };
const AT_ONCE = 200;

/** Some that are not sealed yet. */
export async function unsealed(db: Queryable, table: KeptTable): Promise<KeptRow[]> {
  return db.rows<KeptRow>(
    `select ${OWNER[table]} as id, path, value from ${table} where not is_sealed limit ${AT_ONCE}`,
  );
}

/** Puts the sealed value in the place of the plain one, unless another was written meanwhile. */
export async function replacePlain(
  db: Queryable,
  table: KeptTable,
  { id, path, value, sealed }: KeptRow & { sealed: string },
): Promise<void> {
  const mask = table === 'team_secrets' ? ', masked = coalesce(masked, shown_secret(path, value))' : '';
  await db.run(
    `update ${table} set value = $4, is_sealed = true${mask}
     where ${OWNER[table]} = $1 and path = $2 and value = $3 and not is_sealed`,
    [id, path, value, sealed],
  );
}
