/**
 * The pending commands of this device as edits of rows. It knows no server rows: whoever holds them applies the
 * edits of a row on top through `shown`.
 * Invariants: a refused item has no edits; the edits of a row are in the order in which their commands were
 * written; a change costs as much as what it touches, however many commands are pending.
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import type { RowEdit } from '../../../src/contract/commands/define-command.ts';
import type { Pending } from '../../../src/contract/live-query.ts';
import type { OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import type { ShownRows } from '../../../src/contract/row-index/shown-rows.ts';
import type { CommandReader } from './command-reader.ts';

interface PendingItem {
  order: number;
  pending: Exclude<Pending, 'none'>;
  edits: readonly RowEdit[];
}

interface OutboxChange {
  upserts: readonly OutboxItem[];
  deletedIds: readonly string[];
}

/** A row says the worst of its commands: not all of what is shown is on the disk, or has left this device. */
const WORST_FIRST = ['saving', 'kept', 'sent'] as const;

/** Rows by collection that may look different now. */
export type Touched = Map<CollectionName, Set<string>>;

type Reader = Pick<CommandReader, 'editsOf' | 'editedId' | 'applyEdit'>;
type ItemsOfRow = Map<string, PendingItem>;

/** Starts empty. */
export class Overlay implements ShownRows {
  private readonly read: Reader;
  private readonly items = new Map<string, PendingItem>();
  /** By collection and row: the items that touch it, by command. */
  private readonly byRow = new Map<CollectionName, Map<string, ItemsOfRow>>();

  constructor(read: Reader) {
    this.read = read;
  }

  /** Everything anew; tells the rows that were or are touched. */
  replaceAll(items: readonly OutboxItem[]): Touched {
    const known = [...this.items.keys()];
    return this.apply({ upserts: items, deletedIds: known });
  }

  apply(change: OutboxChange): Touched {
    const touched: Touched = new Map();
    for (const commandId of change.deletedIds) this.remove(commandId, touched);
    for (const item of change.upserts) this.put(item, touched, item.state.kind === 'kept' ? 'kept' : 'sent');
    return touched;
  }

  /** The same of items that the outbox doesn't have on the disk yet; one that it has stays. */
  applySaving({ upserts, deletedIds }: OutboxChange): Touched {
    const touched: Touched = new Map();
    for (const commandId of deletedIds)
      if (this.items.get(commandId)?.pending === 'saving') this.remove(commandId, touched);
    for (const item of upserts) if (!this.items.has(item.commandId)) this.put(item, touched, 'saving');
    return touched;
  }

  touchedIds(collection: CollectionName): Iterable<string> {
    return this.byRow.get(collection)?.keys() ?? [];
  }

  shown(
    row: ReplicatedRow | null,
    { collection, id }: { collection: CollectionName; id: string },
  ): { row: ReplicatedRow; pending: Pending } | null {
    const items = this.byRow.get(collection)?.get(id);
    if (items === undefined) return row === null ? null : { row, pending: 'none' };
    const inOrder = [...items.values()].toSorted((a, b) => a.order - b.order);
    const edited = inOrder
      .flatMap((item) => item.edits)
      .filter((edit) => edit.collection === collection && this.read.editedId(edit) === id)
      .reduce(this.read.applyEdit, row);
    if (edited === null) return null;
    return {
      row: edited,
      pending: WORST_FIRST.find((state) => inOrder.some((item) => item.pending === state)) ?? 'none',
    };
  }

  private put(source: OutboxItem, touched: Touched, pending: PendingItem['pending']): void {
    this.remove(source.commandId, touched);
    const edits = this.read.editsOf(source);
    if (edits.length === 0) return;
    const item: PendingItem = { order: source.order, pending, edits };
    this.items.set(source.commandId, item);
    this.note(touched, edits);
    for (const edit of edits) this.itemsOf(edit).set(source.commandId, item);
  }

  private remove(commandId: string, touched: Touched): void {
    const item = this.items.get(commandId);
    if (item === undefined) return;
    this.items.delete(commandId);
    this.note(touched, item.edits);
    for (const edit of item.edits) {
      const here = this.itemsOf(edit);
      here.delete(commandId);
      if (here.size === 0) this.byRow.get(edit.collection)?.delete(this.read.editedId(edit));
    }
  }

  private note(touched: Touched, edits: readonly RowEdit[]): void {
    for (const edit of edits) {
      const ids = touched.get(edit.collection) ?? new Set<string>();
      touched.set(edit.collection, ids.add(this.read.editedId(edit)));
    }
  }

  private itemsOf(edit: RowEdit): ItemsOfRow {
    const rows = this.byRow.get(edit.collection) ?? new Map<string, ItemsOfRow>();
    this.byRow.set(edit.collection, rows);
    const id = this.read.editedId(edit);
    const here: ItemsOfRow = rows.get(id) ?? new Map<string, PendingItem>();
    rows.set(id, here);
    return here;
  }
}
