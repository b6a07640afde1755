/**
 * What is known of a config item: the replicated row, which is always the newest, and the rest from the body that
 * was fetched. It knows no clock and asks nothing.
 */
import type { ConfigDetail, ItemProperty } from '../../../contract/http/catalog/config-item.ts';
import type { CollectionRow } from '../../../contract/queries/live-row-schemas.ts';

type Shared =
  | 'name'
  | 'type'
  | 'description'
  | 'source'
  | 'status'
  | 'health'
  | 'parent_id'
  | 'path'
  | 'cost_per_minute'
  | 'cost_total_1d'
  | 'cost_total_7d'
  | 'cost_total_30d'
  | 'created_at'
  | 'updated_at'
  | 'deleted_at'
  | 'delete_reason';

export interface ItemFacts extends Pick<CollectionRow<'configs'>, Shared> {
  id: string;
  /** The type's part before the double colon, where the server names no class. */
  configClass: string | null;
  externalIds: readonly string[];
  tags: Readonly<Record<string, unknown>>;
  labels: Readonly<Record<string, unknown>>;
  properties: readonly ItemProperty[];
  scraper: { id: string; name: string | null } | null;
  agent: { id: string; name: string | null } | null;
  lastScrapedAt: string | null;
}

/** The agent of this server itself has the all-zero id. */
const LOCAL_AGENT = /^[0-]*$/;

function agentOf(row: CollectionRow<'configs'> | null, detail: ConfigDetail | null): ItemFacts['agent'] {
  const id = row?.agent_id ?? detail?.agent?.id ?? '';
  if (LOCAL_AGENT.test(id)) return null;
  return { id, name: detail?.agent?.name ?? null };
}

function scraperOf(row: CollectionRow<'configs'> | null, detail: ConfigDetail | null): ItemFacts['scraper'] {
  const id = row?.scraper_id ?? detail?.config_scrapers?.id ?? null;
  return id === null ? null : { id, name: detail?.config_scrapers?.name ?? null };
}

/** Null while nothing is known. */
export function itemFacts(
  row: CollectionRow<'configs'> | null,
  detail: ConfigDetail | null,
): ItemFacts | null {
  const known = row ?? detail;
  if (known === null) return null;
  return {
    id: known.id,
    name: known.name,
    type: known.type,
    configClass: known.type?.split('::')[0] || known.config_class,
    externalIds: known.external_id ?? [],
    description: known.description,
    source: known.source,
    labels: known.labels ?? {},
    tags: known.tags ?? {},
    properties: detail?.properties ?? [],
    status: known.status,
    health: known.health,
    parent_id: known.parent_id,
    path: known.path,
    cost_per_minute: known.cost_per_minute,
    cost_total_1d: known.cost_total_1d,
    cost_total_7d: known.cost_total_7d,
    cost_total_30d: known.cost_total_30d,
    created_at: known.created_at,
    updated_at: known.updated_at,
    deleted_at: known.deleted_at,
    delete_reason: known.delete_reason,
    scraper: scraperOf(row, detail),
    agent: agentOf(row, detail),
    lastScrapedAt: detail?.last_scraped_time ?? null,
  };
}

/** Spec 2 §9. */
const STALE_MS = 3_600_000;

/**
 * Whether the item is stale (spec 2 §2), as of when that was known: what this device kept long ago says nothing of
 * what the scraper did since.
 */
export function isStale(facts: Pick<ItemFacts, 'lastScrapedAt' | 'deleted_at'>, asOfMs: number): boolean {
  if (facts.deleted_at !== null || facts.lastScrapedAt === null) return false;
  return asOfMs - Date.parse(facts.lastScrapedAt) > STALE_MS;
}

/** The ids from the root to the parent; the path may end with the item itself. */
export function ancestorIds({
  id,
  path,
  parent_id: parentId,
}: Pick<ItemFacts, 'id' | 'path' | 'parent_id'>): string[] {
  const ids = (path ?? '').split('.').filter((one) => one !== '' && one !== id);
  if (parentId !== null && !ids.includes(parentId)) ids.push(parentId);
  return ids;
}

/** `$12.30`, `$1.2k` (spec 2 §9); small amounts keep the digits that tell them from nothing. */
export function formatCost(amount: number): string {
  if (amount >= 1000) return `$${(amount / 1000).toFixed(1).replace(/\.0$/, '')}k`;
  if (amount !== 0 && amount < 0.01) return `$${amount.toPrecision(2)}`;
  return `$${amount.toFixed(2)}`;
}

/** A property's value as text; null where it has none. */
export function propertyText({ text, value }: Pick<ItemProperty, 'text' | 'value'>): string | null {
  if (text !== null && text !== '') return text;
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** Only addresses that a browser opens as a page. */
export function safeAddress(url: string | null): string | null {
  return url !== null && /^https?:\/\//i.test(url) ? url : null;
}
