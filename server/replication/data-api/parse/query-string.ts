/** Reads a raw query string as tolerantly as the contract asks: empty parts, stray `&`, bad percent signs. */
export interface QueryPart {
  name: string;
  value: string;
}

/** The text with its percent signs resolved, or as it is when they are malformed. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

const decode = (text: string) => decodePercent(text.replaceAll('+', ' '));

/** The parts in the order sent; a leading `?` is dropped. */
export function parseQueryString(search: string): QueryPart[] {
  const parts: QueryPart[] = [];
  for (const piece of search.replace(/^\?+/, '').split('&')) {
    if (piece === '' || piece === '=') continue;
    const equals = piece.indexOf('=');
    const name = equals === -1 ? piece : piece.slice(0, equals);
    parts.push({ name: decode(name).trim(), value: equals === -1 ? '' : decode(piece.slice(equals + 1)) });
  }
  return parts;
}
