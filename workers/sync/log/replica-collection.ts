/** One replicated collection on this device: parses what comes in, keeps it, and tells its readers. */
import type { z } from 'zod';
import {
  COLLECTION_FACTS,
  PAGED_COLLECTIONS,
  type CollectionName,
  type ReplicatedRow,
} from '../../../src/contract/collections.ts';
import type { KeyValue } from '../../store/key-value.ts';
import { keepsPages, type LoosePage } from '../../store/packed-row-store.ts';
import type { RowChange, RowStore } from '../../store/row-store.ts';
import { wholeMark } from '../../store/store-facts.ts';
import type { Announce } from '../tabs/announcer.ts';
import type { ReplicaRows } from '../pull/replica-rows.ts';
import { createRowParser } from '../pull/row-parser.ts';
import { rowSchemaOf } from './row-schemas.ts';

/** Changes in a store's log after which a quiet moment is used to fold it. */
const LOG_LENGTH = 200;

export interface ReplicaCollection {
  /** Makes durable and announces what came; returns the ids that differ from before, as far as known. */
  merge(rows: readonly ReplicatedRow[], deletedIds: readonly string[]): Promise<string[]>;
  /** Swaps everything in, whole, and tells readers to load again. */
  replaceAll(rows: readonly ReplicatedRow[]): Promise<void>;
  /** The same with pages as they came and a change on top; null where rows are not kept as they come. */
  replacePages: ((pages: readonly LoosePage[], change: RowChange<ReplicatedRow>) => Promise<void>) | null;
  /** Folds logs when they have grown; true when it did something. */
  tidy(): Promise<boolean>;
  /** Forgets what it knows of the store's content, because another worker wrote it. */
  reload(): void;
}

export interface ReplicaParts {
  collection: CollectionName;
  meta: KeyValue;
  announce: Announce;
  report: (error: unknown) => void;
}

/**
 * A collection whose rows are remembered by their fingerprints, for RxDB, which keeps no ledger, and for the pulls of
 * the plain dialect. These compare what they read with what they believe is kept, so it has to hear of every write:
 * believing that a row is there which the log's snapshot swapped away would leave it out for good.
 */
export function createKnownReplica<Row extends { id: string }>(
  { collection, meta, announce, report }: ReplicaParts,
  schema: z.ZodType<Row>,
  kept: ReplicaRows<Row>,
): ReplicaCollection {
  const parse = createRowParser(collection, schema, report);
  return {
    merge: (rows, deletedIds) => kept.merge(parse(rows), deletedIds),
    async replaceAll(rows) {
      // Packed pages are swapped in one transaction; of RxDB's rows a reader could see some of both.
      if (COLLECTION_FACTS[collection].store === 'rxdb') await meta.set(wholeMark(collection), false);
      await kept.replaceAll(parse(rows));
      await meta.set(wholeMark(collection), true);
      announce(collection, { isReset: true });
    },
    replacePages: null,
    async tidy() {
      if (!kept.shouldTidy()) return false;
      await kept.tidy();
      return true;
    },
    reload: () => kept.reload(),
  };
}

/** Any other collection, in packed pages. */
export function createReplicaCollection(
  { collection, meta, announce, report }: ReplicaParts,
  store: RowStore<ReplicatedRow>,
): ReplicaCollection {
  const parse = createRowParser(collection, rowSchemaOf(collection), report);
  let logged = 0;
  const isPaged = PAGED_COLLECTIONS.has(collection) && keepsPages(store);
  const swapped = async () => {
    await meta.set(wholeMark(collection), true);
    announce(collection, { isReset: true });
  };
  return {
    async merge(rows, deletedIds) {
      const upserts = parse(rows);
      if (upserts.length === 0 && deletedIds.length === 0) return [];
      await store.apply({ upserts, deletedIds });
      logged += 1;
      announce(collection, { upserts, deletedIds });
      return [...upserts.map((row) => row.id), ...deletedIds];
    },
    async replaceAll(rows) {
      await store.replaceAll(parse(rows));
      await swapped();
    },
    replacePages: isPaged
      ? async (pages, { upserts, deletedIds }) => {
          await store.replacePages(pages, { upserts: parse(upserts), deletedIds });
          await swapped();
        }
      : null,
    async tidy() {
      if (logged < LOG_LENGTH) return false;
      logged = 0;
      await store.tidy();
      return true;
    },
    reload() {},
  };
}
