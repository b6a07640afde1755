/** The tables of an outbox, which more than its store open. */
import { Dexie, type Table } from 'dexie';
import { OUTBOX_TABLE } from '../../../../src/contract/outbox/outbox.ts';
import { KEY_VALUE_TABLE } from '../../../store/key-value-table.ts';
import { outboxDbName } from '../../../store/store-names.ts';

/** Items by order of writing, and facts about the device. */
export interface OutboxDatabase {
  db: Dexie;
  items: Table<unknown, number>;
  facts: Table<unknown, string>;
}

/** Opens the tables of an outbox. */
export function openOutboxTables(
  { idb, storeName }: { idb: IDBFactory; storeName: string },
  durability: 'strict' | 'relaxed',
): OutboxDatabase {
  const db = new Dexie(outboxDbName(storeName), {
    indexedDB: idb,
    IDBKeyRange,
    chromeTransactionDurability: durability,
  });
  db.version(1).stores({ [OUTBOX_TABLE]: '++order,&commandId', [KEY_VALUE_TABLE]: 'key' });
  return { db, items: db.table(OUTBOX_TABLE), facts: db.table(KEY_VALUE_TABLE) };
}
