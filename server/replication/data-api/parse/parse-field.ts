/** Grammar of a column with JSON arrows: `labels`, `labels->>app`, `spec->http->0->>url`, `"odd name"`. */
import type { Arrow, Field } from './request.ts';
import { readText } from './text-reader.ts';

const MAX_ARROWS = 20;

function readKey(reader: ReturnType<typeof readText>): string {
  const quoted = reader.takeQuoted();
  if (quoted !== null) return quoted;
  let key = '';
  while (!reader.isAtEnd() && !reader.rest().startsWith('->')) key += reader.skip(1);
  return key.trim();
}

/** The field that a text names; the whole text must be one. */
export function parseField(text: string): Field {
  const reader = readText(text.trim(), 'field');
  const column = readKey(reader);
  if (column === '') throw reader.fail();
  const arrows: Arrow[] = [];
  while (reader.take('->')) {
    const asText = reader.take('>');
    const key = readKey(reader);
    if (key === '') throw reader.fail();
    arrows.push({ asText, key });
  }
  if (!reader.isAtEnd() || arrows.length > MAX_ARROWS) throw reader.fail();
  return { column, arrows };
}

/** Splits at dots, but not inside the JSON path or quotes: `a.b.labels->>x.y` has three parts. */
export function splitPath(name: string): string[] {
  const arrow = name.indexOf('->');
  const quote = name.indexOf('"');
  const ends = [arrow, quote].filter((position) => position !== -1);
  const end = ends.length === 0 ? name.length : Math.min(...ends);
  const parts = name.slice(0, end).split('.');
  return [...parts.slice(0, -1), (parts.at(-1) ?? '') + name.slice(end)];
}
