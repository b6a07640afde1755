/** For tests only: a check that can be run. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../../server/platform/db/database.ts';

export async function seedCheck(db: Database): Promise<string> {
  const checkId = randomUUID();
  const [canary] = await db.rows(
    z.custom<{ id: string }>(),
    `insert into canaries (name, namespace, spec) values ($1, 'default', '{}') returning id`,
    [`canary-${checkId}`],
  );
  await db.run(`insert into checks (id, canary_id, type, name) values ($1, $2, 'http', 'shop')`, [
    checkId,
    canary?.id ?? null,
  ]);
  return checkId;
}
