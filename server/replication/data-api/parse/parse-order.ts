/** Grammar of `order`: `name,created_at.desc.nullslast,labels->>app,agents(name).desc`. */
import { parseError } from './api-error.ts';
import { parseField } from './parse-field.ts';
import type { OrderTerm } from './request.ts';

const NULLS = /\.nulls(first|last)$/;
const DIRECTION = /\.(asc|desc)$/;
const EMBEDDED = /^([^()]+)\(([^()]+)\)$/;
/** What is left of a wrong direction: a dot outside of quotes and JSON keys. */
const STRAY_DOT = /^(?:"(?:[^"\\]|\\.)*"|[^".])*?\./;

function parseTerm(text: string): OrderTerm {
  const nulls = NULLS.exec(text);
  const withoutNulls = text.replace(NULLS, '');
  const direction = DIRECTION.exec(withoutNulls);
  const target = withoutNulls.replace(DIRECTION, '').trim();
  const embedded = EMBEDDED.exec(target);
  if (embedded === null && /[()]/.test(target)) throw parseError('order', text, target.search(/[()]/));
  const name = embedded?.[2] ?? target;
  const stray = STRAY_DOT.exec(name.split('->')[0] ?? '');
  if (stray !== null) throw parseError('order', text, stray[0].length);
  return {
    embed: embedded?.[1]?.trim() ?? null,
    field: parseField(name),
    descending: direction?.[1] === 'desc',
    nulls: nulls === null ? null : nulls[1] === 'first' ? 'first' : 'last',
  };
}

/** Splits at commas outside of quotes. */
function terms(text: string): string[] {
  return text.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? [];
}

/** Throws `DataApiError` (400) for what the grammar doesn't have. */
export function parseOrder(text: string): OrderTerm[] {
  return terms(text)
    .map((term) => term.trim())
    .filter((term) => term !== '')
    .map(parseTerm);
}
