/**
 * Gives every accepted item its id (schema §5.3, Identity): that of the stored item of the same type with one of its
 * external ids in the same scraper; else the external id itself, when it is a uuid that nobody else has; else one
 * made of scraper, type and external id. Works in the order of names, so that it doesn't matter how a source sorts.
 */
import type { AcceptedItem } from './accept-items.ts';
import { asUuid, identityKey, itemIdOf } from './item-identity.ts';
import type { KnownItem } from './known-items-query.ts';
import type { References } from './references.ts';

export interface IdentifiedItem extends AcceptedItem {
  id: string;
  /** How it is stored; null for a new one. */
  known: KnownItem | null;
}

/** Ids of items that changed their external ids stay taken; nobody does that more often than this. */
const MAX_ATTEMPTS = 4;

function candidatesOf(scraperId: string, { item }: AcceptedItem): string[] {
  const [externalId] = item.externalIds;
  const own = asUuid(externalId);
  const made = Array.from({ length: MAX_ATTEMPTS }, (_, attempt) =>
    itemIdOf({ scraperId, type: item.type, externalId }, attempt),
  );
  return own === null ? made : [own, ...made];
}

const nameOf = ({ item }: AcceptedItem): string => identityKey(item.type, item.externalIds[0]);

/** The items with their ids, in the order of their names. Ids that can't be given are told through `refuse`. */
export async function identifyItems(
  accepted: readonly AcceptedItem[],
  {
    scraperId,
    references,
    refuse,
  }: { scraperId: string; references: References; refuse: (item: AcceptedItem) => void },
): Promise<IdentifiedItem[]> {
  const inOrder = accepted.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  await references.load(
    inOrder.flatMap(({ item }) => item.externalIds.map((externalId) => ({ type: item.type, externalId }))),
  );
  const used = new Set<string>();
  const knownOf = new Map<AcceptedItem, KnownItem>();
  for (const entry of inOrder) {
    const { type, externalIds } = entry.item;
    for (const externalId of externalIds) {
      const known = references.findOwn({ type, externalId });
      if (known === null || used.has(known.id) || knownOf.has(entry)) continue;
      used.add(known.id);
      knownOf.set(entry, known);
    }
  }
  await references.loadIds(
    inOrder.filter((entry) => !knownOf.has(entry)).flatMap((entry) => candidatesOf(scraperId, entry)),
  );
  return inOrder.flatMap((entry): IdentifiedItem[] => {
    const known = knownOf.get(entry);
    if (known !== undefined) return [{ ...entry, id: known.id, known }];
    const free = candidatesOf(scraperId, entry).find((id) => !used.has(id) && references.byId(id) === null);
    if (free === undefined) {
      refuse(entry);
      return [];
    }
    used.add(free);
    return [{ ...entry, id: free, known: null }];
  });
}
