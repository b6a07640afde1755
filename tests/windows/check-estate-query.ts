/** For tests only: checks as an estate has them, with runs, by the database's own columns. */
import type { Database } from '../../server/platform/db/database.ts';

export interface EstateCheck {
  id: string;
  canaryId: string;
  canary: string;
  name: string;
  namespace: string;
  status: 'healthy' | 'unhealthy' | null;
  labels: Record<string, string>;
  /** How long ago it ran last, and how long after that it runs again, ms. */
  agoMs: number;
  intervalMs: number;
  isSilenced: boolean;
  isDeleted: boolean;
}

/** Writes them and a run of each that ran. */
export async function addChecks(db: Database, checks: readonly EstateCheck[], nowMs: number): Promise<void> {
  const iso = (ms: number) => new Date(ms).toISOString();
  for (const check of checks) {
    const lastMs = nowMs - check.agoMs;
    await db.run(
      `insert into canaries (id, name, namespace, spec) values ($1, $2, $3, '{}') on conflict (id) do nothing`,
      [check.canaryId, check.canary, check.namespace],
    );
    await db.run(
      `insert into checks (id, canary_id, type, name, namespace, status, labels, last_runtime, next_runtime,
         last_transition_time, silenced_at, deleted_at)
       values ($1, $2, 'http', $3, $4, $5, $6::jsonb, $7, $8, $7, $9, $10)`,
      [
        check.id,
        check.canaryId,
        check.name,
        check.namespace,
        check.status,
        JSON.stringify(check.labels),
        iso(lastMs),
        iso(lastMs + check.intervalMs),
        check.isSilenced ? iso(nowMs) : null,
        check.isDeleted ? iso(nowMs) : null,
      ],
    );
    if (check.status === null) continue;
    await db.run(
      `insert into check_statuses (check_id, time, status, duration, created_at) values ($1, $2, $3, 12, $2)`,
      [check.id, iso(lastMs), check.status === 'healthy'],
    );
  }
}
