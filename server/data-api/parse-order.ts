/** Grammar of `order`: `name,created_at.desc.nullslast,labels->>app,agents(name).desc`. */
import { parseError } from './api-error.ts';
import { parseField } from './parse-field.ts';
import type { OrderTerm } from './request.ts';

const NULLS = /\.nulls(first|last)$/;
const DIRECTION = /\.(asc|desc)$/;
const EMBEDDED = /^([^()]+)\(([^()]+)\)$/;

function parseTerm(text: string): OrderTerm {
  const nulls = NULLS.exec(text);
  const withoutNulls = text.replace(NULLS, '');
  const direction = DIRECTION.exec(withoutNulls);
  const target = withoutNulls.replace(DIRECTION, '').trim();
  const embedded = EMBEDDED.exec(target);
  if (embedded === null && /[()]/.test(target)) throw parseError('order', text);
  return {
    embed: embedded?.[1]?.trim() ?? null,
    field: parseField(embedded?.[2] ?? target),
    descending: direction?.[1] === 'desc',
    nulls: nulls === null ? null : nulls[1] === 'first' ? 'first' : 'last',
  };
}

export function parseOrder(text: string): OrderTerm[] {
  return text
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '')
    .map(parseTerm);
}
