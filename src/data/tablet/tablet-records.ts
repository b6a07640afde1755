/** The shared tablet's own database: who has a PIN here, what is locked away of each, and who is on. */
import { z } from 'zod';
import type { ShiftFacts } from '../../domain/tablet/locked-person.ts';
import { answerOf, endOf, openDatabase } from './platform-databases.ts';
import type { PersonKeys, Sealed } from './tablet-keys.ts';

/** Its name: everything else of this origin is somebody's. */
export const SAFE_DB = 'holdfast-tablet';
/** Tables, and the keys of the last one: who is on, and the latest time that was seen. */
export const [PEOPLE, SEALED, FACTS] = ['people', 'sealed', 'facts'] as const;
export const [ON, SEEN] = ['on', 'seenMs'] as const;

/** Somebody with a PIN here; `label` is what he chose to be seen of him. */
export interface TabletPerson extends ShiftFacts {
  id: string;
  label: string;
  /** What the databases of this person are named after: nobody else's are locked away for him. Not known of shifts before it was. */
  storeName?: string;
  keys: PersonKeys;
  /** The session's token. */
  session: Sealed;
  wrong: number;
}

async function withSafe<T>(run: (database: IDBDatabase) => Promise<T>): Promise<T> {
  const database = await openDatabase(SAFE_DB, 1, (made) => {
    made.createObjectStore(PEOPLE, { keyPath: 'id' });
    made.createObjectStore(SEALED);
    made.createObjectStore(FACTS);
  });
  try {
    return await run(database);
  } finally {
    database.close();
  }
}

/** Writes to any of the tables; on the disk when it resolves. */
export function change(write: (transaction: IDBTransaction) => void): Promise<void> {
  return withSafe((database) => {
    const transaction = database.transaction([PEOPLE, SEALED, FACTS], 'readwrite', { durability: 'strict' });
    write(transaction);
    return endOf(transaction);
  });
}

/** What stands in a table under that key. */
export function read<T>(table: string, key: string): Promise<T | undefined> {
  return withSafe(async (database) => {
    const store = database.transaction(table).objectStore(table);
    return z.custom<T | undefined>().parse(await answerOf(store.get(key)));
  });
}

/** Who has a PIN here, the longest first. */
export function findPeople(): Promise<TabletPerson[]> {
  return withSafe(async (database) => {
    const all = await answerOf(database.transaction(PEOPLE).objectStore(PEOPLE).getAll());
    return z.array(z.custom<TabletPerson>()).parse(all);
  });
}

/** Deletes what is locked of a person. */
export function forgetPerson(id: string): Promise<void> {
  return change((transaction) => {
    transaction.objectStore(PEOPLE).delete(id);
    transaction.objectStore(SEALED).delete(id);
  });
}
