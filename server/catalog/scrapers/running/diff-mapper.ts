/** The rules of a scraper's entries for the differences that are found when their items are stored. */
import type { Extracted } from '../extract/extract-entry.ts';
import type { MapDiff } from '../ingest/changes/map-diffs.ts';
import type { Scraper } from '../specs/scraper-document.ts';

/** Rules for diffs, by the item's entry; none where no entry has any, so that storing need not ask. */
export function diffMapperOf({ entries }: Scraper, parts: readonly Extracted[]): MapDiff | undefined {
  if (!entries.some(({ read }) => read.ok && read.base.transform?.changes !== undefined)) return undefined;
  const keyOf = (type: unknown, id: unknown) => JSON.stringify([type, id]);
  const mappers = new Map(
    parts.flatMap(({ items, mapDiff }) =>
      items.map(({ type, externalIds }) => [keyOf(type, externalIds[0]), mapDiff] as const),
    ),
  );
  return async (diff, item) => {
    const map = mappers.get(keyOf(item['config_type'], item['external_id']));
    return map === undefined ? diff : map(diff, item);
  };
}
