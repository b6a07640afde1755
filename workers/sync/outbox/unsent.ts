/** Looks into an outbox that nobody has open: whether it still holds something of its user. */
import { OUTBOX_TABLE } from '../../../src/contract/outbox/outbox.ts';
import { readRaw } from '../../store/raw-idb.ts';
import { outboxDbName } from '../../store/store-names.ts';

/** False for a database that isn't there. */
export async function hasUnsentCommands(idb: IDBFactory, storeName: string): Promise<boolean> {
  const [items = []] = await readRaw(idb, outboxDbName(storeName), [{ table: OUTBOX_TABLE }]);
  return items.length > 0;
}
