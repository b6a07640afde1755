/**
 * Text of a source as the values in it, by format (schema §5.2 `format`). Bounded: aliases cannot multiply a YAML
 * document, tags that would make objects of code are refused.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import { reasonOf } from '../../../../platform/reason-of.ts';
import { yamlValues } from '../../../../platform/yaml/yaml-values.ts';
import { lookupTable } from '../../../../../src/lib/lookup-table.ts';

const BY_ENDING = lookupTable<string>({
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  properties: 'properties',
  xml: 'xml',
  txt: 'text',
  ini: 'ini',
  conf: 'text',
  toml: 'toml',
});

/** The format of a file by its name; JSON where the name says nothing, as it always was. */
export function formatOf(name: string, given: string | undefined): string {
  if (given !== undefined && given !== '') return given.toLowerCase();
  return BY_ENDING[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'json';
}

const ESCAPES = lookupTable<string>({ t: '\t', n: '\n', r: '\r', f: '\f' });

function unescaped(text: string): string {
  return text.replaceAll(/\\(u[0-9a-fA-F]{4}|.)/g, (_all, escaped: string) =>
    escaped.length === 5
      ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
      : (ESCAPES[escaped] ?? escaped),
  );
}

/**
 * A value without the comment behind it, as configuration files have them (`max_connections = 100 # restart`): a `#`
 * after a space, outside of quotes. `\\#` is a character like any other.
 */
function withoutComment(value: string): string {
  let quote = '';
  for (let at = 0; at < value.length; at += 1) {
    const char = value.charAt(at);
    if (char === '\\') at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if ((char === '"' || char === "'") && value.includes(char, at + 1)) quote = char;
    else if (char === '#' && (at === 0 || /\s/.test(value.charAt(at - 1))))
      return value.slice(0, at).trimEnd();
  }
  return value;
}

/** `key = value` lines with comments, line ends and escapes as Java reads them. */
function parseProperties(text: string): Record<string, string> {
  const joined = text.replaceAll(/(?<!\\)((?:\\\\)*)\\\r?\n[ \t]*/g, '$1');
  const entries = joined.split(/\r?\n/).flatMap((line): [string, string][] => {
    const trimmed = line.trimStart();
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith('!')) return [];
    const [key = ''] = /^(?:\\.|[^=:\s\\])*/s.exec(trimmed) ?? [];
    const value = trimmed.slice(key.length).replace(/^\s*[=:]?\s*/, '');
    return [[unescaped(key), unescaped(withoutComment(value))]];
  });
  return Object.fromEntries(entries);
}

async function contentsOf(text: string, format: string, signal: AbortSignal): Promise<unknown[]> {
  switch (format) {
    case 'json':
      return text.trim() === '' ? [] : [JSON.parse(text) as unknown];
    case 'yaml':
      return yamlValues(text, signal);
    case 'properties':
      return [parseProperties(text)];
    default:
      return [text];
  }
}

/** A text, what it is in, and where it is from. */
export interface SourceText {
  text: string;
  format: string;
  source: string;
}

/** The documents of a text. Formats that are not parsed stay one text. Throws naming the source. */
export async function parseContent(
  { text, format, source }: SourceText,
  signal: AbortSignal,
): Promise<unknown[]> {
  try {
    return await contentsOf(text, format, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new AppError('invalid', `${source} is not ${format}: ${reasonOf(error)}`, { cause: error });
  }
}
