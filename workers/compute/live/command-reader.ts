/**
 * What of the commands a reader of the outbox needs. Loaded after the worker has started (`loadCommandReader`),
 * because the schema library comes along.
 */
import { applyEdit, editedId, editsOf } from '../../../src/contract/commands/pending-row.ts';
import { outboxItemSchema, type OutboxItem } from '../../../src/contract/outbox/outbox.ts';

/** Items that this version can read; of the others nothing is shown, and the outbox page names them. */
function readItems(stored: readonly unknown[]): OutboxItem[] {
  return stored.flatMap((value) => {
    const item = outboxItemSchema.safeParse(value);
    return item.success ? [item.data] : [];
  });
}

export const commandReader = { readItems, editsOf, editedId, applyEdit };
export type CommandReader = typeof commandReader;
