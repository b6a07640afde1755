/** The table of related items: which pass, in which order, what the filters offer. */
import type { RelationFacet, RelationsFrame, RelationSort } from '../../../src/contract/relations.ts';
import { healthValue } from '../../../src/domain/catalog/relation-filter.ts';
import type { RelatedItem } from './related-items.ts';
import { addTo } from '../../../src/lib/group-by.ts';

/** More values than these are found by the search of the catalog, not in a list. */
const MAX_FACETS = 200;

const HEALTH_ORDER = ['unhealthy', 'warning', 'unknown', 'healthy'];

type Value = string | number;

function valueOf(item: RelatedItem, sortBy: RelationSort, changesOf: (id: string) => number): Value {
  const { facts } = item;
  switch (sortBy) {
    case 'tree':
    case 'depth':
      return item.depth;
    case 'name':
      return facts.name.toLowerCase();
    case 'type':
      return facts.type;
    case 'status':
      return facts.status ?? '\uffff';
    case 'health': {
      const at = HEALTH_ORDER.indexOf(healthValue(facts.health));
      return at === -1 ? HEALTH_ORDER.length : at;
    }
    case 'changes':
      return changesOf(item.id);
  }
}

function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function byTypeAndName(a: RelatedItem, b: RelatedItem): number {
  return compare(a.facts.type, b.facts.type) || compare(a.facts.name, b.facts.name) || compare(a.id, b.id);
}

/** Each item under the one it was reached from, as a tree reads from top to bottom. */
export function treeOrder(root: RelatedItem, items: readonly RelatedItem[]): RelatedItem[] {
  const under = new Map<RelatedItem, RelatedItem[]>();
  const isShown = new Set(items);
  for (const item of items) {
    let { from } = item;
    while (from !== null && from !== root && !isShown.has(from)) from = from.from;
    const above = from ?? root;
    addTo(under, above, item);
  }
  const ordered: RelatedItem[] = [];
  const stack = [root];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    ordered.push(item);
    // More than a call can be given.
    for (const below of (under.get(item) ?? []).toSorted((a, b) => byTypeAndName(b, a))) stack.push(below);
  }
  return ordered;
}

/** Sorts what is in tree order by a column; equal ones stay in tree order. */
export function sortItems(
  items: readonly RelatedItem[],
  order: { sortBy: RelationSort; isDescending: boolean; changesOf: (id: string) => number },
): readonly RelatedItem[] {
  const { sortBy, isDescending, changesOf } = order;
  if (sortBy === 'tree') return items;
  const sign = isDescending ? -1 : 1;
  return items
    .map((item) => ({ item, value: valueOf(item, sortBy, changesOf) }))
    .toSorted((a, b) => sign * compare(a.value, b.value))
    .map(({ item }) => item);
}

function facet(values: Iterable<string>): RelationFacet[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || compare(a.value, b.value))
    .slice(0, MAX_FACETS);
}

/** What the filters offer: the values of all related items, the most frequent first. */
export function facetsOf(items: readonly RelatedItem[]): RelationsFrame['facets'] {
  return {
    types: facet(items.map(({ facts }) => facts.type)),
    statuses: facet(items.flatMap(({ facts }) => facts.status ?? [])),
    healths: facet(items.map(({ facts }) => healthValue(facts.health))),
    labels: facet(
      items.flatMap(({ facts }) => Object.entries(facts.labels).map(([key, value]) => `${key}:${value}`)),
    ),
  };
}
