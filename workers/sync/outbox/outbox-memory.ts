/**
 * What the outbox held last, in memory, for a database that is removed under a running app (design §4 law 14): what
 * nobody else has yet is written down again. It follows what is told of changes, never what is read: a database
 * that was just made anew reads as empty.
 */
import type { OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import type { OutboxChange } from './outbox-port.ts';
import { openOutboxTables } from './storage/outbox-tables.ts';
import { writeCreatedAt } from './storage/outbox-created-at.ts';
import { ITEM_VERSION } from './storage/stored-item.ts';

/** One for an open outbox. */
export class OutboxMemory {
  private readonly items = new Map<string, OutboxItem>();
  /** When the database was made whose items these are. */
  private bornMs: number | null = null;

  /** It is the database that was looked into. */
  knows(bornMs: number): boolean {
    return this.bornMs === bornMs;
  }

  /** The first look into a database; later ones don't count. True when it is the database that is known. */
  meet(bornMs: number, items: readonly OutboxItem[]): boolean {
    if (this.bornMs === null) {
      this.bornMs = bornMs;
      const before = [...this.items.values()];
      this.items.clear();
      this.note({ upserts: [...items, ...before], deletedIds: [] });
    }
    return this.bornMs === bornMs;
  }

  note({ upserts, deletedIds }: OutboxChange): void {
    for (const id of deletedIds) this.items.delete(id);
    for (const item of upserts) this.items.set(item.commandId, item);
  }

  /** Everything that was there, as it was written; null before a database was looked into. */
  all(): { items: OutboxItem[]; bornMs: number } | null {
    return this.bornMs === null ? null : { items: [...this.items.values()], bornMs: this.bornMs };
  }
}

/** What was sent may have arrived, under a number that nobody knows any more: the server knows it by its id. */
function waitingAgain({ order: _order, ...item }: OutboxItem) {
  return {
    ...item,
    itemVersion: ITEM_VERSION,
    state: item.state.kind === 'sent' ? { kind: 'kept', mayHaveArrived: true } : item.state,
  };
}

/** Writes items into the database that took the place of theirs, before what was written there since. */
export async function salvage(
  place: { idb: IDBFactory; storeName: string },
  { items, bornMs }: { items: readonly OutboxItem[]; bornMs: number },
): Promise<void> {
  const { db, items: table, facts } = openOutboxTables(place, 'strict');
  try {
    await db.transaction('rw', table, facts, async () => {
      const since = (await table.toArray()) as { commandId?: unknown; order?: unknown }[];
      const known = new Set(items.map(({ commandId }) => commandId));
      const newer = since.filter(({ commandId }) => !known.has(String(commandId)));
      await table.clear();
      await table.bulkAdd(items.map(waitingAgain));
      await table.bulkAdd(newer.map(({ order: _order, ...item }) => item));
      await writeCreatedAt(facts, bornMs);
    });
  } finally {
    db.close();
  }
}
