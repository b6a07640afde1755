/** Ids of items: the same thing scraped again, by anybody, at any time, is the same row (schema §5.3, Identity). */
import { hash } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The text as an id, when it is one. */
export function asUuid(text: string): string | null {
  return UUID.test(text) ? text.toLowerCase() : null;
}

/**
 * The id of an item that has none of its own: a name-based uuid (laid out like version 5) of scraper, type and
 * external id. `attempt` gives others where that one is taken by an item that dropped the external id.
 */
export function itemIdOf(
  { scraperId, type, externalId }: { scraperId: string; type: string; externalId: string },
  attempt: number,
): string {
  const name = [scraperId, type, externalId, ...(attempt > 0 ? [String(attempt)] : [])].join('\u0000');
  const bytes = hash('sha256', name, 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Names a type and an external id in a map. */
export function identityKey(type: string, externalId: string): string {
  return `${type}\u0000${externalId}`;
}
