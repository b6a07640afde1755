/** One row with the pending commands of this device on top (design §4: server rows ⊕ commands on their way). */
import type { CollectionName, ReplicatedRow } from '../collections.ts';
import type { OutboxItem } from '../outbox/outbox.ts';
import { commandNamed } from './all-commands.ts';
import type { RowEdit } from './define-command.ts';

/** What an item shows before the server does; nothing once it is refused, or when this version can't read it. */
export function editsOf(item: OutboxItem): RowEdit[] {
  if (item.state.kind === 'refused') return [];
  const definition = commandNamed(item.name);
  const args = definition?.args.safeParse(item.args);
  if (definition === undefined || args?.success !== true) return [];
  return definition.effect(args.data, { userId: item.userId, at: new Date(item.atMs).toISOString() });
}

/** The id of the row that an edit is about. */
export function editedId(edit: RowEdit): string {
  return edit.kind === 'put' ? edit.row.id : edit.id;
}

/**
 * A row after one edit; null when it isn't there. What the server already has of a new row wins over what this
 * device made up for it.
 */
export function applyEdit(row: ReplicatedRow | null, edit: RowEdit): ReplicatedRow | null {
  switch (edit.kind) {
    case 'put':
      return row === null ? edit.row : { ...edit.row, ...row };
    case 'set':
      return row === null ? null : { ...row, ...edit.fields };
    case 'remove':
      return null;
  }
}

/** The row as it is shown: `items` in the order in which they were written. */
export function pendingRow(
  row: ReplicatedRow | null,
  items: readonly OutboxItem[],
  { collection, id }: { collection: CollectionName; id: string },
): ReplicatedRow | null {
  return items
    .flatMap(editsOf)
    .filter((edit) => edit.collection === collection && editedId(edit) === id)
    .reduce(applyEdit, row);
}
