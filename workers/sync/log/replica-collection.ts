/** One replicated collection on this device: parses what comes in, keeps it, and tells its readers. */
import {
  COLLECTION_FACTS,
  type CollectionName,
  type ReplicatedRow,
} from '../../../src/contract/collections.ts';
import { canarySchema, checkSchema, type Canary } from '../../../src/contract/http/canary.ts';
import type { Check } from '../../../src/domain/check/check.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { RowStore } from '../../store/row-store.ts';
import { BOOT_CHECKS, wholeMark } from '../../store/store-facts.ts';
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

/** The checks: compared with what is kept, and copied for a quick start. */
export function createCheckReplica(
  { meta, announce, report }: Omit<ReplicaParts, 'collection'>,
  kept: ReplicaRows<Check>,
): ReplicaCollection {
  const parse = createRowParser('checks', checkSchema, report);
  return {
    merge: (rows, deletedIds) => kept.merge(parse(rows), deletedIds),
    async replaceAll(rows) {
      await meta.set(wholeMark('checks'), false);
      await meta.set(BOOT_CHECKS, false);
      await kept.replaceAll(parse(rows), async () => {
        await meta.set(BOOT_CHECKS, true);
        announce('checks', { isReset: true });
      });
      await meta.set(wholeMark('checks'), true);
    },
    async tidy() {
      if (!kept.shouldTidy()) return false;
      await kept.tidy();
      return true;
    },
    reload: () => kept.reload(),
  };
}

/**
 * The canaries: the plain dialect compares what it reads with what it believes is kept, so it has to hear of every
 * write; believing that a row is there which the log's snapshot swapped away would leave it out for good.
 */
export function createCanaryReplica(
  { meta, announce, report }: Omit<ReplicaParts, 'collection'>,
  kept: ReplicaRows<Canary>,
): ReplicaCollection {
  const parse = createRowParser('canaries', canarySchema, report);
  return {
    merge: (rows, deletedIds) => kept.merge(parse(rows), deletedIds),
    async replaceAll(rows) {
      await meta.set(wholeMark('canaries'), false);
      await kept.replaceAll(parse(rows), () => Promise.resolve());
      await meta.set(wholeMark('canaries'), true);
      announce('canaries', { isReset: true });
    },
    async tidy() {
      if (!kept.shouldTidy()) return false;
      await kept.tidy();
      return true;
    },
    reload: () => kept.reload(),
  };
}

/** Any other collection. */
export function createReplicaCollection(
  { collection, meta, announce, report, isStored }: ReplicaParts & { isStored: () => Promise<boolean> },
  store: RowStore<ReplicatedRow>,
): ReplicaCollection {
  const parse = createRowParser(collection, rowSchemaOf(collection), report);
  let logged = 0;
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
      const isNew = (await meta.get(wholeMark(collection))) !== true;
      // An empty collection needs no database: making one takes longer than all else here.
      if (isNew && rows.length === 0 && !(await isStored())) {
        await meta.set(wholeMark(collection), true);
        announce(collection, { isReset: true });
        return;
      }
      // Packed pages are swapped in one transaction; of RxDB's rows a reader could see some of both.
      if (COLLECTION_FACTS[collection].store === 'rxdb') await meta.set(wholeMark(collection), false);
      await store.replaceAll(parse(rows));
      await meta.set(wholeMark(collection), true);
      announce(collection, { isReset: true });
    },
    async tidy() {
      if (logged < LOG_LENGTH) return false;
      logged = 0;
      await store.tidy();
      return true;
    },
    reload() {},
  };
}
