/** The checks of a storm. */
import type { Database } from '../../server/platform/db/database.ts';

/** So many of them. */
export const CHECKS = 10_000;

/** Adds them, healthy. */
export function addChecks(db: Database): Promise<unknown> {
  return db.run(
    `with canary as (insert into canaries (name, namespace, spec) values ('storm', 'bench', '{}') returning id)
     insert into checks (canary_id, type, name, status) select id, 'http', 'storm ' || n, 'healthy'
       from canary, generate_series(1, ${CHECKS}) as n`,
  );
}

/** All of them at once. */
export function turnAll(db: Database, status: 'healthy' | 'unhealthy'): Promise<unknown> {
  return db.run('update checks set status = $1', [status]);
}
