/** Small facts of a store or of the device by name: cursors, as-of, who was here last. */
import type { Table } from 'dexie';
import { dexieOn } from './dexie-on.ts';
import { KEY_VALUE_TABLE } from './key-value-table.ts';

export interface Fact {
  key: string;
  value: unknown;
}

export interface KeyValue {
  /** Unknown: whoever reads parses what an older version may have written. */
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  /** All of them or none. */
  setAll(facts: Readonly<Record<string, unknown>>): Promise<void>;
  delete(key: string): Promise<void>;
  all(): Promise<Fact[]>;
  close(): void;
}

/** A database of its own under that name; made when it isn't there. */
export function openKeyValue(dbName: string, idb: IDBFactory): KeyValue {
  const db = dexieOn(dbName, idb);
  db.version(1).stores({ [KEY_VALUE_TABLE]: 'key' });
  const table: Table<Fact, string> = db.table(KEY_VALUE_TABLE);
  return {
    get: async (key) => (await table.get(key))?.value,
    set: async (key, value) => {
      await table.put({ key, value });
    },
    setAll: async (facts) => {
      await table.bulkPut(Object.entries(facts).map(([key, value]) => ({ key, value })));
    },
    delete: (key) => table.delete(key),
    all: () => table.toArray(),
    close: () => db.close(),
  };
}
