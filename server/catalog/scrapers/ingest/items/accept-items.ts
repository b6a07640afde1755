/**
 * Decides which items of a run can be stored at all, and puts those into the shape of a row. What is refused is told
 * with the item's name and the reason; it never holds up the others.
 */
import { inTurns } from '../../../../platform/in-turns.ts';
import type { ExternalRef, ScrapedItem } from '../../specs/scraped.ts';
import { identityKey } from './item-identity.ts';
import { storageFault, tooLong } from '../run/storable-text.ts';

/** An item as the columns of config_items take it; times are ISO text. */
export interface ItemFields {
  external_id: readonly string[];
  type: string;
  config_class: string;
  name: string;
  status: string | null;
  health: string | null;
  ready: boolean | null;
  description: string | null;
  icon: string | null;
  config: unknown;
  labels: Readonly<Record<string, string>> | null;
  tags: Readonly<Record<string, string>> | null;
  properties: readonly Record<string, unknown>[] | null;
  source: string | null;
  created_at: string | null;
  deleted_at: string | null;
  delete_reason: string | null;
  cost_per_minute: number | null;
  cost_total_1d: number | null;
  cost_total_7d: number | null;
  cost_total_30d: number | null;
}

export interface AcceptedItem {
  item: ScrapedItem;
  fields: ItemFields;
  /** As JSON text; batches are bounded by it. */
  sizeBytes: number;
}

export interface Acceptance {
  accepted: AcceptedItem[];
  errors: string[];
  /** What was refused but is known to exist at its source: it must not count as gone. */
  spared: ExternalRef[];
}

/** Of the item as JSON. */
const MAX_ITEM_BYTES = 5 * 1024 * 1024;
/** An index entry holds at most 2,704 bytes; name, type and class share one. */
const MAX_NAME = 1000;
const MAX_TYPE = 200;
const MAX_EXTERNAL_ID = 1000;
const MAX_EXTERNAL_IDS = 100;
const MAX_TAGS = 50;
const MAX_LABELS = 500;
const MAX_STATUS = 500;
/** numeric(16, 4) */
const MAX_COST = 1e12;

const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

function tooMany(field: string, count: number, limit: number): string | null {
  return count > limit ? `there are ${count} ${field}; at most ${limit} are possible` : null;
}

function costFault(item: ScrapedItem): string | null {
  for (const [name, cost] of Object.entries(item.costs ?? {})) {
    if (cost !== null && !(Math.abs(cost) < MAX_COST)) return `costs.${name} (${cost}) is out of range`;
  }
  return null;
}

function identityFault(item: ScrapedItem): string | null {
  if (item.type.trim() === '') return 'type is empty; give the specification a type';
  const ids: readonly string[] = item.externalIds;
  if (ids.length === 0 || ids.some((id) => id.trim() === '')) {
    return 'an external id is empty; let id of the specification name a field that every item has';
  }
  return (
    tooLong('type', item.type, MAX_TYPE) ??
    tooMany('external ids', ids.length, MAX_EXTERNAL_IDS) ??
    ids.map((id) => tooLong('an external id', id, MAX_EXTERNAL_ID)).find((fault) => fault !== null) ??
    storageFault([item.type, ...ids], 'identity')
  );
}

function faultOfItem(item: ScrapedItem, fields: ItemFields, text: string): string | null {
  return (
    tooLong('name', fields.name, MAX_NAME) ??
    tooLong('class', fields.config_class, MAX_TYPE) ??
    tooLong('status', fields.status, MAX_STATUS) ??
    tooMany('tags', Object.keys(item.tags).length, MAX_TAGS) ??
    tooMany('labels', Object.keys(item.labels).length, MAX_LABELS) ??
    costFault(item) ??
    storageFault(fields, 'item', text)
  );
}

/** An empty collection is stored as none. */
function orNone<T extends object>(value: T): T | null {
  return Object.keys(value).length === 0 ? null : value;
}

function timeText(time: Date | null, field: string): string | null {
  if (time === null) return null;
  if (Number.isNaN(time.getTime())) throw new RangeError(`${field} is not a time`);
  return time.toISOString();
}

function fieldsOf(item: ScrapedItem): ItemFields {
  const separator = item.type.indexOf('::');
  const prefix = separator > 0 ? item.type.slice(0, separator) : item.type;
  const deletedAt = timeText(item.deletedAt, 'deletedAt');
  return {
    external_id: [...new Set(item.externalIds)],
    type: item.type,
    config_class: item.configClass ?? prefix,
    name: item.name,
    status: item.status,
    health: item.health,
    ready: item.ready,
    description: item.description,
    icon: item.icon,
    config: item.config ?? null,
    labels: orNone(item.labels),
    tags: orNone(item.tags),
    properties: orNone(item.properties),
    source: item.source,
    created_at: timeText(item.createdAt, 'createdAt'),
    deleted_at: deletedAt,
    delete_reason: deletedAt === null ? null : (item.deleteReason ?? 'FROM_ATTRIBUTE'),
    cost_per_minute: item.costs?.perMinute ?? null,
    cost_total_1d: item.costs?.total1d ?? null,
    cost_total_7d: item.costs?.total7d ?? null,
    cost_total_30d: item.costs?.total30d ?? null,
  };
}

/** How the item is called in a message. */
export function labelOf(item: { name: string; type: string; externalIds: readonly string[] }): string {
  const name = (item.name === '' ? (item.externalIds[0] ?? '') : item.name).slice(0, 100);
  return `${item.type === '' ? 'item' : item.type.slice(0, 100)} "${name}"`.replaceAll('\u0000', '␀');
}

function accept(item: ScrapedItem): AcceptedItem | string {
  try {
    const fields = fieldsOf(item);
    // First of all: this is what notices a document that contains itself.
    const text = JSON.stringify(fields);
    const sizeBytes = byteLength(text);
    const excess = sizeBytes - MAX_ITEM_BYTES;
    if (excess > 0) {
      return `it is ${sizeBytes} bytes; at most ${MAX_ITEM_BYTES} are possible: split it with items or exclude parts`;
    }
    return faultOfItem(item, fields, text) ?? { item, fields, sizeBytes };
  } catch (error) {
    // Only what JSON and time know to refuse: a cycle, an impossible time.
    if (error instanceof TypeError || error instanceof RangeError) return error.message;
    throw error;
  }
}

/** Splits the items of a run into what can be stored and why the rest can't. The first of two of a name wins. */
export async function acceptItems(items: readonly ScrapedItem[]): Promise<Acceptance> {
  const found: Acceptance = { accepted: [], errors: [], spared: [] };
  const owners = new Map<string, ScrapedItem>();
  for await (const item of inTurns(items)) {
    const nameless = identityFault(item);
    if (nameless !== null) {
      found.errors.push(`${labelOf(item)} was left out: ${nameless}`);
      continue;
    }
    const keys = item.externalIds.map((id) => identityKey(item.type, id));
    const taken = keys.map((key) => owners.get(key)).find((owner) => owner !== undefined);
    if (taken !== undefined) {
      found.errors.push(
        `${labelOf(item)} was left out: ${labelOf(taken)} of the same run has the same external id`,
      );
      continue;
    }
    const accepted = accept(item);
    if (typeof accepted === 'string') {
      found.errors.push(`${labelOf(item)} was left out: ${accepted}`);
      found.spared.push({ type: item.type, externalId: item.externalIds[0] });
      continue;
    }
    for (const key of keys) owners.set(key, item);
    found.accepted.push(accepted);
  }
  return found;
}
