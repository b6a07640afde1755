/** SQL of the sealing of kept literals (migration 0034). */
import { z } from 'zod';
import type { Queryable } from '../platform/db/database.ts';
import type { SecretTable } from '../platform/crypto/sealed-values.ts';

const storedSecret = z.strictObject({
  id: z.string(),
  path: z.string(),
  value: z.string(),
});
export type StoredSecret = z.infer<typeof storedSecret>;

const OWNER: Readonly<Record<SecretTable, string>> = { spec_secrets: 'row_id', team_secrets: 'team_id' };
const AT_ONCE = 200;

/** Some that are not sealed yet. */
export async function unsealed(db: Queryable, table: SecretTable): Promise<StoredSecret[]> {
  return db.rows(
    storedSecret,
    `select ${OWNER[table]} as id, path, value from ${table} where not is_sealed limit ${AT_ONCE}`,
  );
}

/** Puts the sealed value in the place of the plain one, unless another was written meanwhile. */
export async function replacePlain(
  db: Queryable,
  table: SecretTable,
  { id, path, value, sealed }: StoredSecret & { sealed: string },
): Promise<void> {
  const mask = table === 'team_secrets' ? ', masked = coalesce(masked, shown_secret(path, value))' : '';
  await db.run(
    `update ${table} set value = $4, is_sealed = true${mask}
     where ${OWNER[table]} = $1 and path = $2 and value = $3 and not is_sealed`,
    [id, path, value, sealed],
  );
}
