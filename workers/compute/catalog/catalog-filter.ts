/**
 * Which items pass a question, and in which order a search shows them. Rules:
 * - wanted values of one filter are alternatives, unwanted ones never match (spec 2 §5); an item whose health is
 *   not known counts as `unknown`;
 * - values of one label key are alternatives, keys must all hold; an item without the key isn't excluded by one
 *   of its values;
 * - all words of a search must occur somewhere; the exact name comes first, then names that begin with the text,
 *   then words within the name that do, then any place in the name, then everything else.
 */
import type { CatalogQuery } from '../../../src/contract/catalog-view.ts';
import { comparableType } from '../../../src/domain/catalog/type-names.ts';
import type { TriState } from '../../../src/domain/tri-state.ts';
import { unwanted, wanted } from '../../../src/domain/tri-state.ts';
import type { CatalogItem } from './catalog-items.ts';

type Passes = (item: CatalogItem) => boolean;

function triTest(filter: TriState, keyOf: (value: string) => string, read: (item: CatalogItem) => string) {
  const include = new Set(wanted(filter).map(keyOf));
  const exclude = new Set(unwanted(filter).map(keyOf));
  if (include.size === 0 && exclude.size === 0) return null;
  return (item: CatalogItem) => {
    const value = read(item);
    return !exclude.has(value) && (include.size === 0 || include.has(value));
  };
}

/** True when a tag or label of the item is that pair; a key may hold colons itself. */
function hasPair(entry: string): Passes {
  const pairs: [string, string][] = [];
  for (let colon = entry.indexOf(':'); colon > 0; colon = entry.indexOf(':', colon + 1))
    pairs.push([entry.slice(0, colon), entry.slice(colon + 1)]);
  return ({ tags, labels }) => pairs.some(([key, value]) => tags?.[key] === value || labels?.[key] === value);
}

function labelTests(filter: TriState): Passes[] {
  const byKey = new Map<string, Passes[]>();
  for (const entry of wanted(filter)) {
    const key = entry.slice(0, Math.max(0, entry.indexOf(':')));
    byKey.set(key, [...(byKey.get(key) ?? []), hasPair(entry)]);
  }
  const included = [...byKey.values()].map(
    (alternatives): Passes =>
      (item) =>
        alternatives.some((has) => has(item)),
  );
  const excluded = unwanted(filter).map((entry): Passes => {
    const has = hasPair(entry);
    return (item) => !has(item);
  });
  return [...included, ...excluded];
}

const lower = (value: string) => value.toLowerCase();

/** The filters of a question, without its search. */
export function filterTests(query: Omit<CatalogQuery, 'search'>): Passes[] {
  const tests = [
    triTest(query.types, comparableType, (item) => item.typeKey),
    triTest(query.status, lower, (item) => item.statusKey),
    triTest(query.health, lower, (item) => item.health),
    query.hideDeleted ? ({ isDeleted }: CatalogItem) => !isDeleted : null,
    ...labelTests(query.labels),
  ];
  return tests.filter((test): test is Passes => test !== null);
}

/** The words of a search in small letters; `*` at the end of one means what it means without. */
export function wordsOf(search: string): string[] {
  const words = search.toLowerCase().split(/\s+/);
  // `node*` is `node`: names that begin with it come first anyway.
  return words.map((word) => word.replace(/\*+$/, '')).filter(Boolean);
}

/** All of them, each somewhere in the item's text or status. */
export function hasWords(item: CatalogItem, words: readonly string[]): boolean {
  for (const word of words) if (!item.text.includes(word) && !item.statusKey.includes(word)) return false;
  return true;
}

const LETTER = /[\p{L}\p{N}]/u;

/** 0 is best. */
export function rankOf({ nameKey }: CatalogItem, words: readonly string[]): number {
  const text = words.join(' ');
  let at = nameKey.indexOf(text);
  if (at < 0) return words.every((word) => nameKey.includes(word)) ? 3 : 4;
  if (at === 0) return nameKey.length === text.length ? 0 : 1;
  for (; at > 0; at = nameKey.indexOf(text, at + 1)) if (!LETTER.test(nameKey[at - 1] ?? '')) return 2;
  return 3;
}

/** Best first, each rank in the order in which it came. */
export function ranked(items: readonly CatalogItem[], words: readonly string[]): CatalogItem[] {
  const ranks: CatalogItem[][] = [[], [], [], [], []];
  for (const item of items) ranks[rankOf(item, words)]?.push(item);
  return ranks.flat();
}

/** Finds the items of a question; a search that was made longer looks only at what passed before. */
export function createFinder(): (
  from: { items: readonly CatalogItem[]; version: number },
  query: CatalogQuery,
) => readonly CatalogItem[] {
  let last = { key: '', words: [] as string[], found: [] as readonly CatalogItem[] };
  return ({ items, version }, query) => {
    const { types, status, health, labels, hideDeleted, sortBy, isDescending } = query;
    const key = JSON.stringify([version, types, status, health, labels, hideDeleted, sortBy, isDescending]);
    const words = wordsOf(query.search);
    const isNarrower =
      key === last.key && last.words.every((known) => words.some((word) => word.includes(known)));
    const tests = isNarrower ? [] : filterTests(query);
    const found: CatalogItem[] = [];
    for (const item of isNarrower ? last.found : items) {
      if (tests.every((passes) => passes(item)) && hasWords(item, words)) found.push(item);
    }
    last = { key, words, found };
    return found;
  };
}
