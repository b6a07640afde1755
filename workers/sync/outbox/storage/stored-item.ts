/**
 * How an item of the outbox is stored, and how what an older version stored is read. What can't be read is never
 * thrown away: it is shown as refused, with whatever could be made out, and stays as it is in the database.
 */
import { z } from 'zod';
import { outboxItemSchema, type OutboxItem } from '../../../../src/contract/outbox/outbox.ts';
import { MESSAGES } from '../messages.ts';

/** Rises when the stored form changes; then `MIGRATIONS` gets the step from the version before. */
export const ITEM_VERSION = 1;

type Raw = Record<string, unknown>;
/** By the version that they start from: each makes an item of the next version. */
export type ItemMigrations = Readonly<Record<number, (raw: Raw) => Raw>>;

export interface ItemFormat {
  version: number;
  migrations: ItemMigrations;
}

/** The present form. Version 0 was without a number of its own and did not count the server's failures. */
export const ITEM_FORMAT: ItemFormat = {
  version: ITEM_VERSION,
  migrations: { 0: (raw) => ({ failures: 0, ...raw }) },
};

export interface ReadItem {
  item: OutboxItem;
  /** False: quarantined. It may be shown and dropped, nothing else. */
  isReadable: boolean;
  /** True when the database still has an older form. */
  isOld: boolean;
}

const keyed = z.looseObject({ order: z.number() });
const versioned = z.looseObject({ itemVersion: z.number().int().min(0).default(0) });

function migrated(raw: unknown, format: ItemFormat): { value: unknown; isOld: boolean } | null {
  const parsed = versioned.safeParse(raw);
  if (!parsed.success || parsed.data.itemVersion > format.version) return null;
  const { itemVersion: from } = parsed.data;
  let value: Raw = parsed.data;
  for (let version = from; version < format.version; version += 1) {
    const step = format.migrations[version];
    if (step === undefined) return null;
    value = step(value);
  }
  return { value, isOld: from < format.version };
}

const hint = z.looseObject({
  commandId: z.string().optional().catch(undefined),
  name: z.string().catch('?'),
  version: z.number().int().catch(0),
  args: z.unknown().optional(),
  userId: z.string().catch(''),
  atMs: z.number().catch(0),
});

function quarantined(order: number, raw: unknown): OutboxItem {
  const { commandId, name, version, args, userId, atMs } = hint.parse(raw);
  return {
    order,
    commandId: commandId ?? `unreadable-${order}`,
    name,
    version,
    args,
    basedOn: null,
    expiresAt: null,
    userId,
    atMs,
    touches: [],
    creates: [],
    failures: 0,
    state: { kind: 'refused', code: 'invalid', message: MESSAGES.unreadable, current: null, atMs },
  };
}

/** A stored record as an item, migrated or quarantined. */
export function readStoredItem(raw: unknown, format: ItemFormat = ITEM_FORMAT): ReadItem {
  const form = migrated(raw, format);
  const parsed = outboxItemSchema.safeParse(form?.value);
  if (form !== null && parsed.success) return { item: parsed.data, isReadable: true, isOld: form.isOld };
  const { order } = keyed.parse(raw);
  return { item: quarantined(order, raw), isReadable: false, isOld: false };
}

export type StoredItem = OutboxItem & { itemVersion: number };

/** An item as it is written. */
export function toStored(item: OutboxItem): StoredItem {
  return { ...item, itemVersion: ITEM_VERSION };
}
