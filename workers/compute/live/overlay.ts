/**
 * The pending commands of this device as edits of rows. It knows no server rows: whoever holds them applies the
 * edits of a row on top (`applyEdits`).
 * Invariants: a refused item has no edits; the edits of a row are in the order in which their commands were
 * written; a change costs as much as what it touches, however many commands are pending.
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import type { RowEdit } from '../../../src/contract/commands/define-command.ts';
import type { Pending } from '../../../src/contract/live-query.ts';
import type { OutboxItem } from '../../../src/contract/outbox.ts';
import type { CommandReader } from './command-reader.ts';

interface PendingItem {
  order: number;
  pending: Exclude<Pending, 'none'>;
  edits: readonly RowEdit[];
}

/** Rows by collection that may look different now. */
export type Touched = Map<CollectionName, Set<string>>;

/** What the holder of server rows needs to know. */
export interface ShownRows {
  /** Rows of a collection that pending commands touch. */
  touchedIds(collection: CollectionName): Iterable<string>;
  /** A row as it is shown; null when it isn't. */
  shown(
    row: ReplicatedRow | null,
    place: { collection: CollectionName; id: string },
  ): { row: ReplicatedRow; pending: Pending } | null;
}

export interface Overlay extends ShownRows {
  /** Everything anew; tells the rows that were or are touched. */
  replaceAll(items: readonly OutboxItem[]): Touched;
  apply(change: { upserts: readonly OutboxItem[]; deletedIds: readonly string[] }): Touched;
}

/** An empty overlay. */
export function createOverlay(read: Pick<CommandReader, 'editsOf' | 'editedId' | 'applyEdit'>): Overlay {
  const items = new Map<string, PendingItem>();
  /** By collection and row: the items that touch it, by command. */
  const byRow = new Map<CollectionName, Map<string, Map<string, PendingItem>>>();

  const note = (touched: Touched, { edits }: PendingItem) => {
    for (const edit of edits) {
      const ids = touched.get(edit.collection) ?? new Set<string>();
      touched.set(edit.collection, ids.add(read.editedId(edit)));
    }
  };

  const remove = (commandId: string, touched: Touched) => {
    const item = items.get(commandId);
    if (item === undefined) return;
    items.delete(commandId);
    note(touched, item);
    for (const edit of item.edits) {
      const rows = byRow.get(edit.collection);
      const here = rows?.get(read.editedId(edit));
      here?.delete(commandId);
      if (here?.size === 0) rows?.delete(read.editedId(edit));
    }
  };

  const put = (source: OutboxItem, touched: Touched) => {
    remove(source.commandId, touched);
    const edits = read.editsOf(source);
    if (edits.length === 0) return;
    const item: PendingItem = {
      order: source.order,
      pending: source.state.kind === 'kept' ? 'kept' : 'sent',
      edits,
    };
    items.set(source.commandId, item);
    note(touched, item);
    for (const edit of edits) {
      const rows = byRow.get(edit.collection) ?? new Map<string, Map<string, PendingItem>>();
      byRow.set(edit.collection, rows);
      const here = rows.get(read.editedId(edit)) ?? new Map<string, PendingItem>();
      rows.set(read.editedId(edit), here.set(source.commandId, item));
    }
  };

  return {
    replaceAll(next) {
      const touched: Touched = new Map();
      for (const commandId of [...items.keys()]) remove(commandId, touched);
      for (const item of next) put(item, touched);
      return touched;
    },
    apply({ upserts, deletedIds }) {
      const touched: Touched = new Map();
      for (const commandId of deletedIds) remove(commandId, touched);
      for (const item of upserts) put(item, touched);
      return touched;
    },
    touchedIds: (collection) => byRow.get(collection)?.keys() ?? [],
    shown(row, { collection, id }) {
      const here = byRow.get(collection)?.get(id);
      if (here === undefined) return row === null ? null : { row, pending: 'none' };
      const inOrder = [...here.values()].toSorted((a, b) => a.order - b.order);
      const edited = inOrder
        .flatMap((item) => item.edits)
        .filter((edit) => edit.collection === collection && read.editedId(edit) === id)
        .reduce(read.applyEdit, row);
      if (edited === null) return null;
      // Kept outweighs sent: not all of what is shown has left this device.
      return { row: edited, pending: inOrder.some((item) => item.pending === 'kept') ? 'kept' : 'sent' };
    },
  };
}
