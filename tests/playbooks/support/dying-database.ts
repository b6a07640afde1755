/** For tests only: a database that answers nobody any more from some moment on, as for a server that is killed then. */
import type { Database, Queryable } from '../../../server/platform/db/database.ts';

class Killed extends Error {}

export interface DyingDatabase {
  db: Database;
  /** Now, if it has not happened yet. */
  kill: () => void;
  isDead: () => boolean;
  died: Promise<void>;
}

/** Dies after so many calls; the last one may be done and its answer lost. */
export function dyingDatabase(db: Database, calls = Infinity): DyingDatabase {
  let left = calls;
  let tellDeath: () => void = () => undefined;
  const died = new Promise<void>((resolve) => {
    tellDeath = resolve;
  });
  const kill = () => {
    left = -1;
    tellDeath();
  };
  const spend = () => {
    left -= 1;
    if (left >= 0) return;
    tellDeath();
    throw new Killed('killed');
  };
  const dying = (inner: Queryable): Queryable => ({
    async rows(row, sql, params) {
      spend();
      return inner.rows(row, sql, params);
    },
    async text(sql, params) {
      spend();
      return inner.text(sql, params);
    },
    async run(sql, params) {
      spend();
      return inner.run(sql, params);
    },
    async script(sql) {
      spend();
      return inner.script(sql);
    },
  });
  const wrapped: Database = {
    ...dying(db),
    kind: db.kind,
    async transaction(work) {
      spend();
      const answer = await db.transaction((tx) => work(dying(tx)));
      // Committed, and the answer is lost.
      spend();
      return answer;
    },
    asCaller: () => wrapped,
    close: () => Promise.resolve(),
  };
  return { db: wrapped, kill, isDead: () => left < 0, died };
}
