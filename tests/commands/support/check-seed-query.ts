/** For tests only: a check that can be run. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../../server/platform/db/database.ts';

/** A canary without checks; answers its id. */
export async function seedCanary(db: Database, source = 'UI'): Promise<string> {
  const [canary] = await db.rows(
    z.custom<{ id: string }>(),
    `insert into canaries (name, namespace, source, labels, spec)
     values ($1, 'default', $2, '{"team": "shop", "old": "x"}', '{}') returning id`,
    [`canary-${randomUUID()}`, source],
  );
  return canary?.id ?? '';
}

/** A scraper that is still to be written; answers its id. */
export async function seedScraper(db: Database): Promise<string> {
  const [scraper] = await db.rows(
    z.custom<{ id: string }>(),
    `insert into config_scrapers (name, source, spec) values ($1, 'UI', '{}') returning id`,
    [`scraper-${randomUUID()}`],
  );
  return scraper?.id ?? '';
}

/** A check that can be run; answers its id. */
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
