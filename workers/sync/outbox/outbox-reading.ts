/** How rows, items and messages are read for the outbox; nothing here keeps or writes anything. */
import { OUTBOX, type OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import type { StoreChange } from '../../../src/contract/worker.ts';

export type Fields = Record<string, unknown>;

/** Values of the wanted fields, where the row has them. */
export function fieldsOf(row: Readonly<Fields> | null, fields: readonly string[]): Fields {
  return Object.fromEntries(
    fields.filter((field) => row !== null && field in row).map((field) => [field, row?.[field]]),
  );
}

/** The items of two readings by order; the later reading wins where it has an item. */
export function joined(before: readonly OutboxItem[], now: readonly OutboxItem[]): OutboxItem[] {
  const byOrder = new Map([...before, ...now].map((item) => [item.order, item]));
  return [...byOrder.values()].toSorted((a, b) => a.order - b.order);
}

/** Other workers' news of this outbox. */
export function isOutboxChange(message: unknown, storeName: string): message is StoreChange {
  if (typeof message !== 'object' || message === null) return false;
  return (
    'storeName' in message &&
    message.storeName === storeName &&
    'collection' in message &&
    message.collection === OUTBOX
  );
}
