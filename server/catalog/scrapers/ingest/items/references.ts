/**
 * Answers which item a source means by a type and an external id: one of this run, else one that is stored. Own items
 * come before those of other scrapers, live ones before deleted ones, and a lower id settles the rest, so that the
 * answer never depends on the order of anything.
 */
import type { Queryable } from '../../../../platform/db/database.ts';
import type { ExternalRef } from '../../specs/scraped.ts';
import { asUuid, identityKey } from './item-identity.ts';
import { findByExternalIds, findByIds } from './known-items-query.ts';
import type { KnownItem } from './known-items-query.ts';

export interface References {
  /** Looks up what isn't known yet, a set at a time. Call before `find`. */
  load(refs: readonly ExternalRef[]): Promise<void>;
  /** The best stored item of that name. */
  find(ref: ExternalRef): KnownItem | null;
  /** The best stored item of this scraper of that name, also a deleted one. */
  findOwn(ref: ExternalRef): KnownItem | null;
  byId(id: string): KnownItem | null;
  loadIds(ids: readonly string[]): Promise<void>;
}

const keyOf = (ref: ExternalRef): string => identityKey(ref.type, ref.externalId);

/** One for a run: what was found once is not asked for again. */
export function createReferences(db: Queryable, scraperId: string): References {
  const byKey = new Map<string, KnownItem[]>();
  const items = new Map<string, KnownItem>();
  const askedIds = new Set<string>();

  const rank = (item: KnownItem): number =>
    (item.scraper_id === scraperId ? 0 : 2) + (item.is_deleted ? 1 : 0);
  const isBetter = (one: KnownItem, other: KnownItem): boolean =>
    rank(one) === rank(other) ? one.id < other.id : rank(one) < rank(other);
  const best = (candidates: readonly KnownItem[]): KnownItem | null =>
    candidates.reduce<KnownItem | null>(
      (found, item) => (found === null || isBetter(item, found) ? item : found),
      null,
    );

  const loadIds = async (ids: readonly string[]) => {
    const missing = [...new Set(ids)].filter((id) => !askedIds.has(id));
    for (const id of missing) askedIds.add(id);
    for (const item of await findByIds(db, missing)) items.set(item.id, item);
  };

  const candidatesOf = (ref: ExternalRef): KnownItem[] => {
    const id = asUuid(ref.externalId);
    const self = id === null ? undefined : items.get(id);
    const named = byKey.get(keyOf(ref)) ?? [];
    return self !== undefined && (ref.type === '' || self.type === ref.type) ? [...named, self] : named;
  };

  return {
    async load(refs) {
      const missing = new Map<string, ExternalRef>();
      for (const ref of refs) if (!byKey.has(keyOf(ref))) missing.set(keyOf(ref), ref);
      const wanted = [...missing.values()];
      for (const ref of wanted) byKey.set(keyOf(ref), []);
      for (const item of await findByExternalIds(db, wanted)) {
        items.set(item.id, item);
        for (const externalId of item.external_id ?? []) {
          byKey.get(identityKey(item.type, externalId))?.push(item);
          byKey.get(identityKey('', externalId))?.push(item);
        }
      }
      await loadIds(wanted.flatMap((ref) => asUuid(ref.externalId) ?? []));
    },
    find: (ref) => best(candidatesOf(ref)),
    findOwn: (ref) => best(candidatesOf(ref).filter((item) => item.scraper_id === scraperId)),
    byId: (id) => items.get(id) ?? null,
    loadIds,
  };
}
