/**
 * Gives every accepted item its id (schema §5.3, Identity): that of the stored item of the same type with one of its
 * external ids in the same scraper; else the external id itself, when it is a uuid that nobody else has; else one
 * made of scraper, type and external id. Works in the order of names, so that it doesn't matter how a source sorts.
 */
import { inTurns } from '../../../../platform/in-turns.ts';
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

/** The ids that the item may have, the likeliest first; making one takes a hash. */
function candidatesOf(scraperId: string, { item }: AcceptedItem, attempts = MAX_ATTEMPTS): string[] {
  const [externalId] = item.externalIds;
  const own = asUuid(externalId);
  const made = Array.from({ length: attempts }, (_, attempt) =>
    itemIdOf({ scraperId, type: item.type, externalId }, attempt),
  );
  return own === null ? made : [own, ...made];
}

/** The ids that are looked at for every item: the likeliest two. */
type FirstIds = ReadonlyMap<AcceptedItem, readonly string[]>;

async function firstIdsOf(scraperId: string, entries: readonly AcceptedItem[]): Promise<FirstIds> {
  const ids = new Map<AcceptedItem, readonly string[]>();
  for await (const entry of inTurns(entries)) ids.set(entry, candidatesOf(scraperId, entry, 2).slice(0, 2));
  return ids;
}

function inOrderOfNames(accepted: readonly AcceptedItem[]): AcceptedItem[] {
  return accepted
    .map((entry) => ({ entry, name: identityKey(entry.item.type, entry.item.externalIds[0]) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ entry }) => entry);
}

/** Finds stored items under the ids that they were given; cheaper than by their external ids. */
async function findByOwnIds(
  firstIds: FirstIds,
  { scraperId, references }: IdentifyDeps,
): Promise<Map<AcceptedItem, KnownItem>> {
  await references.loadIds([...firstIds.values()].flat());
  const found = new Map<AcceptedItem, KnownItem>();
  for await (const [entry, ids] of inTurns(firstIds)) {
    const { type, externalIds } = entry.item;
    const known = ids
      .map((id) => references.byId(id))
      .find(
        (item) =>
          item !== null &&
          item.scraper_id === scraperId &&
          item.type === type &&
          item.external_id?.includes(externalIds[0]) === true,
      );
    if (known !== null && known !== undefined) found.set(entry, known);
  }
  return found;
}

/** Finds the others by any of their external ids. */
async function findByNames(
  inOrder: readonly AcceptedItem[],
  found: Map<AcceptedItem, KnownItem>,
  { references }: IdentifyDeps,
): Promise<void> {
  const used = new Set([...found.values()].map(({ id }) => id));
  const others = inOrder.filter((entry) => !found.has(entry));
  await references.load(
    others.flatMap(({ item }) => item.externalIds.map((externalId) => ({ type: item.type, externalId }))),
  );
  for await (const entry of inTurns(others)) {
    const { type, externalIds } = entry.item;
    const known = externalIds
      .map((externalId) => references.findOwn({ type, externalId }))
      .find((item) => item !== null && !used.has(item.id));
    if (known === null || known === undefined) continue;
    used.add(known.id);
    found.set(entry, known);
  }
}

interface IdentifyDeps {
  scraperId: string;
  references: References;
  /** Told of items that can't be given an id. */
  refuse: (item: AcceptedItem) => void;
}

/** The items with their ids, in the order of their names. */
export async function identifyItems(
  accepted: readonly AcceptedItem[],
  deps: IdentifyDeps,
): Promise<IdentifiedItem[]> {
  const { scraperId, references, refuse } = deps;
  const inOrder = inOrderOfNames(accepted);
  const firstIds = await firstIdsOf(scraperId, inOrder);
  const found = await findByOwnIds(firstIds, deps);
  await findByNames(inOrder, found, deps);
  const unknown = inOrder.filter((entry) => !found.has(entry));
  const isStored = (id: string) => references.byId(id) !== null;
  // Of most items the first id is free, and the others need no look.
  const doubtful = unknown.filter((entry) => firstIds.get(entry)?.some(isStored));
  await references.loadIds(doubtful.flatMap((entry) => candidatesOf(scraperId, entry)));
  const used = new Set([...found.values()].map(({ id }) => id));
  const identified: IdentifiedItem[] = [];
  for await (const entry of inTurns(inOrder)) {
    const known = found.get(entry);
    if (known !== undefined) {
      identified.push({ ...entry, id: known.id, known });
      continue;
    }
    const isFree = (id: string) => !used.has(id) && !isStored(id);
    const free = firstIds.get(entry)?.find(isFree) ?? candidatesOf(scraperId, entry).find(isFree);
    if (free === undefined) {
      refuse(entry);
      continue;
    }
    used.add(free);
    identified.push({ ...entry, id: free, known: null });
  }
  return identified;
}
