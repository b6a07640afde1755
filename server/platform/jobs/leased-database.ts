/** The database for work under a lease: what it writes is refused once another server has the lease. */
import type { Database } from '../db/database.ts';
import type { Lease } from './held-lease.ts';
import { requireLease } from './leases.ts';

/** Fenced are transactions and single writes (`run`); what is read may be old. */
export function withLease(db: Database, lease: Lease | null): Database {
  if (lease === null || lease.token === null) return db;
  const transaction: Database['transaction'] = (work) =>
    db.transaction(async (tx) => {
      await requireLease(tx, lease);
      return work(tx);
    });
  return { ...db, transaction, run: (sql, params) => transaction((tx) => tx.run(sql, params)) };
}
