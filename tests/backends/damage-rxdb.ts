/** For tests only: somebody changes what RxDB keeps on a device. Finds its databases by name and knows no layout. */
import { deleteDatabase, dexieOn } from '../../workers/store/dexie-on.ts';
import { isOfStore } from '../../workers/store/store-names.ts';

export const RXDB_DAMAGES = ['removed', 'emptied', 'a row gone', 'a row more', 'a row changed'] as const;
export type RxdbDamage = (typeof RXDB_DAMAGES)[number];

/** The same record with other texts, and with another key. */
function otherThan(record: Record<string, unknown>, how: RxdbDamage): Record<string, unknown> {
  if (how === 'a row more') return { ...record, id: `${String(record['id'])}-ghost` };
  return { ...record, title: 'an older one', name: 'an older one' };
}

/** False when there was nothing to change. */
export async function damageRxdb(
  idb: IDBFactory,
  { storeName, collection }: { storeName: string; collection: string },
  how: RxdbDamage,
): Promise<boolean> {
  const names = (await idb.databases()).flatMap(({ name }) => name ?? []);
  const name = names.find((one) => isOfStore(storeName, one) && one.endsWith(`-${collection}`));
  if (name === undefined) return false;
  if (how === 'removed') {
    await deleteDatabase(name, idb);
    return true;
  }
  const db = dexieOn(name, idb);
  await db.open();
  try {
    for (const table of db.tables) {
      const records: Record<string, unknown>[] = await table.toArray();
      const live = records.find((record) => String(record['_deleted']) !== '1');
      if (live === undefined) continue;
      if (how === 'emptied') await table.clear();
      else if (how === 'a row gone') await table.delete(String(live['id']));
      else await table.put(otherThan(live, how));
      return true;
    }
    return false;
  } finally {
    db.close();
  }
}
