/** Who does what a transaction does: histories name them (incident_histories, migration 0015). */
import type { Queryable } from './database.ts';

/** Until the transaction ends. */
export async function actAs(tx: Queryable, personId: string): Promise<void> {
  await tx.text(`select set_config('holdfast.actor', $1, true)`, [personId]);
}
