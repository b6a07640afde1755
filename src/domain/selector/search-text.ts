/**
 * What people type into a resource search (schema §5.1): words are the beginning of a name, tag or label; pairs
 * `key=value`, apart by spaces or commas, name a part of the selector or else a label. Quotes keep spaces in.
 */
import type { LabelRequirement } from '../label-selector.ts';
import { trimEnd } from '../../lib/trim-end.ts';

export interface SearchText {
  id?: string;
  name?: string;
  namespace?: string;
  scope?: string;
  types: readonly string[];
  statuses: readonly string[];
  limit: number | null;
  /** Pairs with other keys. */
  others: readonly LabelRequirement[];
  /** The words that are no pairs. */
  prefix: string;
}

/** `key=value`, `key!=value` or a word; a value in quotes may hold anything. */
const TOKEN = /[\s,]*(?:([^\s,=!"]+)(!?=)("[^"]*"|[^\s,]*)|"([^"]*)"|([^\s,]+))/gy;

interface Pair {
  key: string;
  isNegated: boolean;
  value: string;
}

function splitSearch(text: string): { pairs: Pair[]; words: string[] } {
  // Without a pair it is one piece of text, commas and all.
  if (!text.includes('=')) return { pairs: [], words: [text.trim()].filter((word) => word !== '') };
  const pairs: Pair[] = [];
  const words: string[] = [];
  for (const [, key, sign, value, quoted, word = ''] of text.matchAll(TOKEN)) {
    if (key === undefined) words.push(quoted ?? word);
    else pairs.push({ key, isNegated: sign === '!=', value: (value ?? '').replace(/^"(.*)"$/, '$1') });
  }
  return { pairs, words };
}

const SINGLE = ['id', 'name', 'namespace', 'scope'] as const;
const PARTS: ReadonlySet<string> = new Set([...SINGLE, 'type', 'status', 'limit']);

/** The text taken apart; of a part given twice the last counts, types and statuses add up. */
export function readSearchText(text: string): SearchText {
  const { pairs, words } = splitSearch(text);
  const valuesOf = (key: string) =>
    pairs
      .filter((pair) => pair.key.toLowerCase() === key && pair.value !== '')
      .map(({ isNegated, value }) => (isNegated ? `!${value}` : value));
  const singles = SINGLE.flatMap((key) => valuesOf(key).map((value) => [key, value]));
  const limit = Number(valuesOf('limit').at(-1));
  return {
    ...Object.fromEntries(singles),
    types: valuesOf('type'),
    statuses: valuesOf('status'),
    limit: Number.isInteger(limit) && limit > 0 ? limit : null,
    others: pairs
      .filter(({ key }) => !PARTS.has(key.toLowerCase()))
      .map(({ key, isNegated, value }) => ({ key, operator: isNegated ? 'notin' : 'in', values: [value] })),
    // What is typed is a beginning anyway; a star behind it says so once more.
    prefix: trimEnd(words.join(' '), '*'),
  };
}
