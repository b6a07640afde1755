/** For tests only: the database says what it may say at any time, and is nobody's fault. */
import type { Database } from '../../../server/platform/db/database.ts';

/** Hypotheses of this title fail. */
export const DEADLOCK_TITLE = 'deadlock';

/** From now on. */
export function failDeadlocks(db: Database): Promise<void> {
  return db.script(`
    create function fail_at_will() returns trigger language plpgsql as $$
    begin
      raise exception 'deadlock detected' using errcode = '40P01';
    end $$;
    create trigger fail_at_will before insert on hypotheses
      for each row when (new.title = '${DEADLOCK_TITLE}') execute function fail_at_will();
  `);
}
