/** The database of one packed collection: its tables, and what every reader and writer of them shares. */
import type { Dexie, Table } from 'dexie';
import { dexieOn, hasDatabase } from './dexie-on.ts';
import { LEDGER_TABLE, type Ledger, type Stamp } from './packed-ledger.ts';
import type { PackedDelta, PackedPage } from './packed-pages.ts';

/** Both ends of the compound key of a partition's pages; an empty array sorts after every number. */
function pageRange(partition: string): [[string], [string, never[]]] {
  return [[partition], [partition, []]];
}

/** The database of one packed collection. */
export interface PackedLocation {
  name: string;
  idb: IDBFactory;
  /** Told when there is no database to read, or one was made: the first time, and after somebody removed it. */
  onMissing?: () => void;
  /** A word that no database had before; without it one that is made again is not told from the one before. */
  newId?: () => string;
}

/** Opened, and made, when first used. */
export interface Tables {
  db: Dexie;
  place: PackedLocation;
  pages: Table<PackedPage, [string, number]>;
  deltas: Table<PackedDelta, number>;
  ledger: Table<Ledger, string>;
  newId: () => string;
  /** As of the last change by this worker. */
  written: Stamp | null;
}

/** Opens nothing yet. */
export function openTables(place: PackedLocation): Tables {
  const { name, idb, onMissing, newId = () => '' } = place;
  const db = dexieOn(name, idb);
  if (onMissing !== undefined) db.on('populate', () => onMissing());
  db.version(1).stores({ pages: '[partition+page]', deltas: '++sequence, partition' });
  db.version(2).stores({ [LEDGER_TABLE]: 'key' });
  const ledger: Table<Ledger, string> = db.table(LEDGER_TABLE);
  return { db, place, pages: db.table('pages'), deltas: db.table('deltas'), ledger, newId, written: null };
}

/** False when nothing was ever written: making a database takes longer than all else here, and a read needs none. */
export async function isMade({ db, place }: Tables): Promise<boolean> {
  if (db.isOpen() || (await hasDatabase(place.name, place.idb))) return true;
  place.onMissing?.();
  return false;
}

/** The pages of one partition, in order. */
export function pagesIn({ pages }: Tables, partition: string) {
  const [from, to] = pageRange(partition);
  return pages.where('[partition+page]').between(from, to);
}
