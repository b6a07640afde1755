/**
 * JSON values as YAML. Ours rather than the library's, which takes seconds for the large bodies that people look
 * at; reading back what it wrote gives the value again (held by a test with the library's reader).
 */
import { trimEnd } from '../../../src/lib/trim-end.ts';
/** Plain as it stands: nothing in it means something else to a YAML reader, of 1.1 or 1.2. */
const PLAIN =
  /^[A-Za-z_/](?:[A-Za-z0-9_./()@%+=;$^~<>\\-]|:(?=[A-Za-z0-9_/]))*(?: [A-Za-z0-9_./()@%+=;$^~<>\\-]+)*$/;
const MEANS_ELSE = /^(?:true|false|yes|no|on|off|null|y|n|nan|inf)$/i;
/** Lines that a literal block keeps as they are: no control characters, nothing that ends a line elsewhere. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const NOT_LITERAL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udfff]/;

const pad = (depth: number) => '  '.repeat(depth);

function literal(text: string, depth: number): string {
  const body = trimEnd(text, '\n');
  const tail = text.length - body.length;
  const keep = tail === 0 ? '-' : tail === 1 ? '' : '+';
  const lines = body.split('\n').map((line) => (line === '' ? '' : `${pad(depth)}${line}`));
  return `|${keep}\n${lines.join('\n')}${'\n'.repeat(Math.max(0, tail - 1))}`;
}

function isLiteral(text: string): boolean {
  // A first line that begins with a space would be taken for the indentation.
  return text.trim() !== '' && text.includes('\n') && !/^[\s]/.test(text) && !NOT_LITERAL.test(text);
}

function scalar(value: string | number | boolean | null, depth: number): string {
  if (typeof value !== 'string') return String(value);
  if (PLAIN.test(value) && !MEANS_ELSE.test(value)) return value;
  return isLiteral(value) ? literal(value, depth) : JSON.stringify(value);
}

const keyText = (key: string) => (PLAIN.test(key) && !MEANS_ELSE.test(key) ? key : JSON.stringify(key));

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value !== 'object';
}

/** Lines of a value that stands below its key or dash, already indented. */
function writeInto(out: string[], value: unknown, depth: number): void {
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) writeItem(out, item, depth);
    return;
  }
  for (const [key, item] of Object.entries(value as Record<string, unknown>))
    writeEntry(out, { lead: `${pad(depth)}${keyText(key)}:`, item, depth });
}

function emptyText(value: unknown): string | null {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : null;
  return Object.keys(value as object).length === 0 ? '{}' : null;
}

function writeEntry(
  out: string[],
  { lead, item, depth }: { lead: string; item: unknown; depth: number },
): void {
  const text = isScalar(item) ? scalar(item, depth + 1) : emptyText(item);
  if (text !== null) {
    out.push(`${lead} ${text}`);
    return;
  }
  out.push(lead);
  writeInto(out, item, depth + 1);
}

/** A list's item: its first line beside the dash, as people write it. */
function writeItem(out: string[], item: unknown, depth: number): void {
  const first = out.length;
  const text = isScalar(item) ? scalar(item, depth + 1) : emptyText(item);
  if (text !== null) {
    out.push(`${pad(depth)}- ${text}`);
    return;
  }
  writeInto(out, item, depth + 1);
  out[first] = `${pad(depth)}- ${(out[first] ?? '').slice(pad(depth + 1).length)}`;
}

/** Ends with a line break. */
export function writeYaml(value: unknown): string {
  if (isScalar(value)) return `${scalar(value, 1)}\n`;
  const empty = emptyText(value);
  if (empty !== null) return `${empty}\n`;
  const out: string[] = [];
  writeInto(out, value, 0);
  return `${out.join('\n')}\n`;
}
