/** Who does what a transaction does: histories name them (incident_histories, migration 0015). */
import type { Queryable } from './database.ts';

/** Until the transaction ends. */
export async function actAs(tx: Queryable, personId: string): Promise<void> {
  await tx.text(`select set_config('holdfast.actor', $1, true)`, [personId]);
}

/** When its author's device wrote it: new rows of the transaction keep it (migration 0032). */
export async function dateAs(tx: Queryable, writtenAt: Date): Promise<void> {
  await tx.text(`select set_config('holdfast.written_at', $1, true)`, [writtenAt.toISOString()]);
}

/** Both at once; without a word of when it was written, an earlier one of this transaction is forgotten. */
export async function actAndDateAs(tx: Queryable, personId: string, writtenAt: Date | null): Promise<void> {
  await tx.text(
    `select set_config('holdfast.actor', $1, true) || set_config('holdfast.written_at', $2, true)`,
    [personId, writtenAt?.toISOString() ?? ''],
  );
}
