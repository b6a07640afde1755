/** Puts the outbox together of what the worker tells of it (workers/sync/outbox/outbox-differences.ts). */
import type { OutboxItem, OutboxUpdate, OutboxView } from './outbox.ts';

/** Calls with each whole view. */
export function joinOutboxUpdates(listener: (view: OutboxView) => void): (update: OutboxUpdate) => void {
  const items = new Map<string, OutboxItem>();
  return ({ isFirst, upserts, deletedIds, view }) => {
    if (isFirst) items.clear();
    for (const commandId of deletedIds) items.delete(commandId);
    for (const item of upserts) items.set(item.commandId, item);
    if (view === null) return;
    const inOrder = [...items.values()].toSorted((a, b) => a.order - b.order);
    listener({ ...view, items: inOrder });
  };
}
