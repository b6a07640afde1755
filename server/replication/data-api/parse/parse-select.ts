/**
 * Grammar of `select`: `*`, `alias:column::cast`, `labels->>app`, `alias:relation!hint!inner(…)`, nested.
 * Tolerated as the contract asks: spaces anywhere between words, one stray `)` at the end.
 */
import { DataApiError, parseError } from './api-error.ts';
import { parseField } from './parse-field.ts';
import type { SelectItem } from './request.ts';
import { readText } from './text-reader.ts';
import type { TextReader } from './text-reader.ts';

const MAX_DEPTH = 8;
const CAST = /::([A-Za-z0-9_\s]+)$/;
const ALIAS = /^(?:("(?:[^"\\]|\\.)*")\s*|([^:"]+)):(?!:)/;

function splitAlias(text: string): { alias: string | null; rest: string } {
  const given = text.trim();
  const found = ALIAS.exec(given);
  const name = found?.[1] ?? found?.[2]?.trim();
  if (found === null || name === undefined) return { alias: null, rest: given };
  return { alias: name.replaceAll('"', ''), rest: given.slice(found[0].length).trim() };
}

const AGGREGATE = /^(?:.+\.)?(?:count|sum|avg|max|min)$/;

function fieldItem(text: string): SelectItem {
  const { alias, rest } = splitAlias(text);
  if (rest === '*') return { kind: 'all' };
  const cast = CAST.exec(rest)?.[1]?.trim() ?? null;
  return { kind: 'field', alias, field: parseField(rest.replace(CAST, '')), cast };
}

/** `name`, `name!hint`, `name!hint!inner`, in any order of what follows the name. */
function embedItem(text: string, items: readonly SelectItem[]): SelectItem {
  const trimmed = text.trim();
  const isSpread = trimmed.startsWith('...');
  const { alias, rest } = isSpread ? { alias: null, rest: trimmed.slice(3) } : splitAlias(trimmed);
  if (items.length === 0 && AGGREGATE.test(rest)) throw aggregatesRefused();
  const [relation = '', ...hints] = rest.split('!').map((word) => word.trim().replaceAll('"', ''));
  if (relation === '' || hints.length > 2) throw parseError('select parameter', text);
  const names = hints.filter((hint) => hint !== 'inner' && hint !== 'left');
  if (names.length > 1 || names.includes('')) throw parseError('select parameter', text);
  return {
    kind: 'embed',
    alias,
    isSpread,
    relation,
    hint: names[0] ?? null,
    isInner: hints.includes('inner'),
    items,
  };
}

function aggregatesRefused(): DataApiError {
  return new DataApiError(400, { code: 'PGRST123', message: 'Use of aggregate functions is not allowed' });
}

function readItem(reader: TextReader, depth: number): SelectItem {
  let head = '';
  for (;;) {
    head += reader.until('(),"');
    const quoted = reader.takeQuoted();
    if (quoted === null) break;
    head += JSON.stringify(quoted);
  }
  if (!reader.take('(')) return fieldItem(head);
  if (depth >= MAX_DEPTH) throw reader.fail();
  const items = readItems(reader, depth + 1);
  reader.expect(')');
  return embedItem(head, items);
}

function readItems(reader: TextReader, depth: number): SelectItem[] {
  const items: SelectItem[] = [];
  for (;;) {
    reader.skipSpaces();
    if (!reader.isAtEnd() && !/^[,)]/.test(reader.rest())) items.push(readItem(reader, depth));
    reader.skipSpaces();
    if (!reader.take(',')) return items;
  }
}

/** The selected items; an empty text selects all columns. */
export function parseSelect(text: string): SelectItem[] {
  const reader = readText(text, 'select parameter');
  const items = readItems(reader, 0);
  reader.take(')');
  reader.skipSpaces();
  if (!reader.isAtEnd()) throw reader.fail();
  return items.length === 0 ? [{ kind: 'all' }] : items;
}
