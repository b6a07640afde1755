/**
 * Decides the parents of a run's items before they are written: the first of an item's own candidates that exists,
 * else an item that calls it a child; else what it had, unless a complete run would have told (schema §5.3).
 */
import { inTurns } from '../../../../platform/in-turns.ts';
import type { ExternalRef, SubjectRef } from '../../specs/scraped.ts';
import type { IdentifiedItem } from './identify-items.ts';
import { asUuid, identityKey } from './item-identity.ts';
import { createPlacement } from './placement.ts';
import type { Placement } from './placement.ts';
import type { References } from './references.ts';
import type { Tally } from '../run/tally.ts';
import { addTo } from '../../../../../src/lib/group-by.ts';

export interface RunItems {
  inOrder: readonly IdentifiedItem[];
  byId: ReadonlyMap<string, IdentifiedItem>;
  /** Looks up those that are not of this run; call it before `idOf`. */
  load(refs: readonly ExternalRef[]): Promise<void>;
  /** The item that is meant, in this run or stored; null when there is none. */
  idOf(ref: ExternalRef): string | null;
  /** The item that a change or a finding is about: never one of another scraper unless it says so. */
  subjectOf(ref: SubjectRef): { id: string; type: string } | null;
}

/** What a run brought, with a way to find items by name. */
export async function createRunItems(
  inOrder: readonly IdentifiedItem[],
  references: References,
): Promise<RunItems> {
  const byKey = new Map<string, IdentifiedItem>();
  const byId = new Map<string, IdentifiedItem>();
  for await (const entry of inTurns(inOrder)) {
    byId.set(entry.id, entry);
    for (const externalId of entry.item.externalIds) {
      byKey.set(identityKey(entry.item.type, externalId), entry);
      const anyType = identityKey('', externalId);
      if (!byKey.has(anyType)) byKey.set(anyType, entry);
    }
  }
  const here = (ref: ExternalRef): IdentifiedItem | undefined => {
    const uuid = asUuid(ref.externalId);
    const self = uuid === null ? undefined : byId.get(uuid);
    const found = byKey.get(identityKey(ref.type, ref.externalId)) ?? self;
    return found !== undefined && (ref.type === '' || found.item.type === ref.type) ? found : undefined;
  };
  return {
    inOrder,
    byId,
    load: (refs) => references.load(refs.filter((ref) => here(ref) === undefined)),
    idOf: (ref) => here(ref)?.id ?? references.find(ref)?.id ?? null,
    subjectOf(ref) {
      const found = here(ref);
      if (found !== undefined) return { id: found.id, type: found.item.type };
      return ref.scope === 'any' ? references.find(ref) : references.findOwn(ref);
    },
  };
}

interface PlaceDeps {
  scraperId: string;
  isComplete: boolean;
  references: References;
  tally: Tally;
}

function isLive(items: RunItems, references: References, id: string): boolean {
  const here = items.byId.get(id);
  return here === undefined ? references.byId(id)?.is_deleted === false : here.item.deletedAt === null;
}

/** Own items that others of the run call their children, with those others. */
async function claimsOf(
  items: RunItems,
  { scraperId, references }: PlaceDeps,
): Promise<Map<string, string[]>> {
  const claims = new Map<string, string[]>();
  for await (const { id, item } of inTurns(items.inOrder)) {
    for (const child of item.children) {
      const childId = items.idOf(child);
      if (childId === null || childId === id) continue;
      const isOwn = items.byId.has(childId) || references.byId(childId)?.scraper_id === scraperId;
      if (isOwn) addTo(claims, childId, id);
    }
  }
  return claims;
}

/** The present parent, where the run has no say about it. */
function previousParent({ item, known }: IdentifiedItem, deps: PlaceDeps): string[] {
  if (known === null || known.parent_id === null) return [];
  const parent = deps.references.byId(known.parent_id);
  const isForeign = parent !== null && parent.scraper_id !== deps.scraperId;
  const isToldLater = item.relationships.some(({ relation }) => relation === 'hard');
  return !deps.isComplete || isForeign || isToldLater ? [known.parent_id] : [];
}

/** The tree with the run's items in it. */
export async function placeItems(items: RunItems, deps: PlaceDeps): Promise<Placement> {
  const { references, tally } = deps;
  await items.load(items.inOrder.flatMap(({ item }) => [...item.parents, ...item.children]));
  await references.loadIds(items.inOrder.flatMap(({ known }) => known?.parent_id ?? []));
  const placement = createPlacement();
  const claims = await claimsOf(items, deps);
  const candidates = new Map<string, string[]>();
  for await (const entry of inTurns(items.inOrder)) {
    const named = [
      ...entry.item.parents.flatMap((ref) => items.idOf(ref) ?? []),
      ...(claims.get(entry.id) ?? []),
    ].filter((id) => id !== entry.id && isLive(items, references, id));
    candidates.set(entry.id, named.length > 0 ? named : previousParent(entry, deps));
  }
  for (const [childId, parents] of claims) {
    if (!items.byId.has(childId)) candidates.set(childId, parents);
  }
  // Items of the run come first in the tree, so that what is learnt of others leads only to places outside it.
  for (const id of candidates.keys()) placement.place(id, []);
  for (const id of new Set([...candidates.values()].flat())) {
    const known = items.byId.has(id) ? null : references.byId(id);
    if (known !== null) placement.learn(known.id, known.path, known.parent_id);
  }
  for await (const [id, named] of inTurns(candidates)) {
    const passedOver = placement.place(id, named);
    const entry = items.byId.get(id);
    if (passedOver > 0 && entry !== undefined) {
      tally.warn(
        entry.item.type,
        `"${entry.item.name}" is in a circle of parents; ${passedOver} were passed over`,
      );
    }
  }
  return placement;
}
