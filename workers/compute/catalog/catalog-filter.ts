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
import { healthOfWord } from '../../../src/domain/check/health.ts';
import { comparableType } from '../../../src/domain/catalog/type-names.ts';
import type { TriState } from '../../../src/domain/tri-state.ts';
import { unwanted, wanted } from '../../../src/domain/tri-state.ts';
import type { Slots, SlotReader } from '../../../src/contract/row-index/column.ts';
import { asPairs, asText } from '../live/columns.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';
import { statusKey, typeKey, type CatalogColumns } from './catalog-columns.ts';
import { addTo } from '../../../src/lib/group-by.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

function triTest(filter: TriState, keyOf: (value: string) => string) {
  const include = new Set(wanted(filter).map(keyOf));
  const exclude = new Set(unwanted(filter).map(keyOf));
  if (include.size === 0 && exclude.size === 0) return null;
  return (value: string) => !exclude.has(value) && (include.size === 0 || include.has(value));
}

type Passes = SlotReader<boolean>;

/** True when a tag or label of the item is that pair; a key may hold colons itself. */
function hasPair(table: RowTable, entry: string): Passes {
  const pairs: [string, string][] = [];
  for (let colon = entry.indexOf(':'); colon > 0; colon = entry.indexOf(':', colon + 1))
    pairs.push([entry.slice(0, colon), entry.slice(colon + 1)]);
  const isIn = (value: unknown) => {
    const own = asPairs(value);
    return own !== null && pairs.some(([key, one]) => own[key] === one);
  };
  const [inTags, inLabels] = [table.map('tags', isIn), table.map('labels', isIn)];
  return (slot) => inTags(slot) || inLabels(slot);
}

function labelTests(table: RowTable, filter: TriState): Passes[] {
  const byKey = new Map<string, Passes[]>();
  for (const entry of wanted(filter)) {
    const key = entry.slice(0, Math.max(0, entry.indexOf(':')));
    addTo(byKey, key, hasPair(table, entry));
  }
  const included = [...byKey.values()].map(
    (alternatives): Passes =>
      (slot) =>
        alternatives.some((has) => has(slot)),
  );
  const excluded = unwanted(filter).map((entry): Passes => {
    const has = hasPair(table, entry);
    return (slot) => !has(slot);
  });
  return [...included, ...excluded];
}

const lower = (value: string) => value.toLowerCase();

/** The slots that pass the filters of a question, without its search. */
function filtered(all: Slots, table: RowTable, query: Omit<CatalogQuery, 'search'>): Slots {
  const [types, statuses, healths] = [
    triTest(query.types, comparableType),
    triTest(query.status, lower),
    triTest(query.health, lower),
  ];
  let slots = all;
  if (types !== null) slots = table.narrow(slots, 'type', (value) => types(typeKey(value)));
  if (statuses !== null) slots = table.narrow(slots, 'status', (value) => statuses(statusKey(value)));
  if (healths !== null)
    slots = table.narrow(slots, 'health', (value) => healths(healthOfWord(asText(value))));
  if (query.hideDeleted) slots = table.narrow(slots, 'deleted_at', (value) => asText(value) === null);
  for (const passes of labelTests(table, query.labels)) slots = slots.filter((slot) => passes(slot));
  return slots;
}

/** The words of a search in small letters; `*` at the end of one means what it means without. */
export function wordsOf(search: string): string[] {
  const words = search.toLowerCase().split(/\s+/);
  // `node*` is `node`: names that begin with it come first anyway.
  return words.map((word) => trimEnd(word, '*')).filter(Boolean);
}

const LETTER = /[\p{L}\p{N}]/u;

/** Whether a name goes on there from what stands before. */
function isWithinWord(name: string, at: number): boolean {
  const code = name.charCodeAt(at - 1);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return LETTER.test(name[at - 1] ?? '');
}

const RANKS = 5;

/** Of a name in small letters; 0 is best. */
function rankOf(name: string, text: string, words: readonly string[]): number {
  let at = name.indexOf(text);
  if (at < 0) return words.length > 1 && words.every((word) => name.includes(word)) ? 3 : 4;
  if (at === 0) return name.length === text.length ? 0 : 1;
  for (; at > 0; at = name.indexOf(text, at + 1)) if (!isWithinWord(name, at)) return 2;
  return 3;
}

/**
 * What was found in the order of all, or best first where words are given, each rank in that order. Names are looked at
 * as they lie in memory: in another order that takes several times as long.
 */
export function inShownOrder(
  found: Slots,
  { order, columns, words }: { order: Slots; columns: CatalogColumns; words: readonly string[] },
): Slots {
  const text = words.join(' ');
  const { nameKey, table } = columns;
  const ranks = new Uint8Array(table.slotCount);
  const ends = new Uint32Array(RANKS + 1);
  for (let at = 0; at < found.length; at += 1) {
    const slot = found[at] ?? 0;
    const rank = 1 + (text === '' ? 0 : rankOf(nameKey(slot), text, words));
    ranks[slot] = rank;
    ends[rank] = (ends[rank] ?? 0) + 1;
  }
  for (let rank = 1; rank <= RANKS; rank += 1) ends[rank] = (ends[rank] ?? 0) + (ends[rank - 1] ?? 0);
  const shown = new Uint32Array(found.length);
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const slot = order[at] ?? 0;
    const rank = ranks[slot] ?? 0;
    if (rank === 0) continue;
    const place = (ends[rank] ?? 0) - 1;
    ends[rank] = place;
    shown[place] = slot;
  }
  return shown;
}

/** Finds the items of a question, in no order; a search that was made longer looks only at what passed before. */
export function createFinder(): (
  from: { columns: CatalogColumns; version: number },
  query: CatalogQuery,
) => Slots {
  let last = { key: '', words: [] as string[], found: new Uint32Array(0) as Slots };
  return ({ columns: { table }, version }, query) => {
    const { types, status, health, labels, hideDeleted } = query;
    const key = JSON.stringify([version, types, status, health, labels, hideDeleted]);
    const words = wordsOf(query.search);
    const isNarrower =
      key === last.key && last.words.every((known) => words.some((word) => word.includes(known)));
    let found = isNarrower ? last.found : filtered(table.takenSlots(), table, query);
    // What a word is looked for in besides the text of an item.
    for (const word of words) found = table.narrowToWord(found, word, ['status']);
    last = { key, words, found };
    return found;
  };
}
