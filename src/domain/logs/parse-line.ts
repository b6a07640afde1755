/**
 * A line of a log taken apart: JSON, logfmt and klog, else the text as it is (fixtures/logs). What the line says of
 * itself becomes message, severity, source, host; the rest are labels. Knows no clock.
 */
import { isRecord } from '../../lib/is-record.ts';
import { jsonOrNull } from '../../lib/json-or-null.ts';
import { lookupTable } from '../../lib/lookup-table.ts';
import { fieldText } from './field-text.ts';

export interface ParsedLine {
  message: string;
  severity: string;
  source: string;
  host: string;
  labels: Record<string, string>;
}

const MESSAGE_FIELDS = ['msg', 'message', 'log', 'text', '@message'];
const SEVERITY_FIELDS = ['level', 'severity', 'lvl', 'loglevel', 'log.level'];
const SOURCE_FIELDS = ['source', 'caller', 'logger'];
const HOST_FIELDS = ['host', 'hostname'];
const KLOG = /^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ ([^\s\]]+)\] (.*)$/s;
const KLOG_LEVELS = lookupTable<string>({ I: 'info', W: 'warning', E: 'error', F: 'fatal' });
const PAIR = /([A-Za-z_@][\w.@/-]*)=("(?:[^"\\]|\\.)*"|[^\s"]*)/gy;
const PINO_LEVELS = lookupTable<string>({
  '10': 'trace',
  '20': 'debug',
  '30': 'info',
  '40': 'warning',
  '50': 'error',
  '60': 'fatal',
});
/** Longer lines are shown, not taken apart. */
const MAX_PARSED_CHARS = 200_000;
const MAX_LABELS = 200;

const plain = (message: string): ParsedLine => ({ message, severity: '', source: '', host: '', labels: {} });

/** The first of the fields that is there and says something; it is taken out. */
function take(fields: Map<string, string>, names: readonly string[]): string {
  for (const name of names) {
    const value = fields.get(name);
    if (value === undefined || value === '') continue;
    fields.delete(name);
    return value;
  }
  return '';
}

function ofFields(fields: Map<string, string>, fallback: string): ParsedLine {
  const message = take(fields, MESSAGE_FIELDS);
  const severity = take(fields, SEVERITY_FIELDS);
  const source = take(fields, SOURCE_FIELDS);
  const host = take(fields, HOST_FIELDS);
  const labels = Object.fromEntries([...fields].slice(0, MAX_LABELS));
  return {
    message: message === '' ? fallback : message,
    severity: PINO_LEVELS[severity] ?? severity,
    source,
    host,
    labels,
  };
}

/** The fields of a line that is one JSON object; null for any other. */
export function jsonFields(line: string): Readonly<Record<string, unknown>> | null {
  const text = line.trim();
  if (!text.startsWith('{') || !text.endsWith('}') || text.length > MAX_PARSED_CHARS) return null;
  const value = jsonOrNull(text);
  return isRecord(value) ? value : null;
}

function pairsIn(text: string): Map<string, string> | null {
  const pairs = new Map<string, string>();
  let at = 0;
  PAIR.lastIndex = 0;
  for (let found = PAIR.exec(text); found !== null; found = PAIR.exec(text)) {
    const [, name = '', value = ''] = found;
    pairs.set(name, value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : value);
    at = PAIR.lastIndex;
    while (text[at] === ' ' || text[at] === '\t') at += 1;
    PAIR.lastIndex = at;
  }
  return at >= text.trimEnd().length && pairs.size > 0 ? pairs : null;
}

function klogLine(line: string): ParsedLine | null {
  const [, letter = '', source = '', rest = ''] = KLOG.exec(line) ?? [];
  if (letter === '') return null;
  const [whole = '', quoted] = /^"((?:[^"\\]|\\.)*)"\s*/.exec(rest) ?? [];
  const pairs = quoted === undefined ? null : pairsIn(rest.slice(whole.length));
  return {
    message: quoted === undefined ? rest : quoted.replaceAll(/\\(["\\])/g, '$1'),
    severity: KLOG_LEVELS[letter] ?? '',
    source,
    host: '',
    labels: Object.fromEntries(pairs ?? []),
  };
}

/** See the head of this file; the message of a line that is none of them is the line. */
export function parseLogLine(line: string): ParsedLine {
  if (line.length > MAX_PARSED_CHARS) return plain(line);
  const fields = jsonFields(line);
  if (fields !== null)
    return ofFields(new Map(Object.entries(fields).map(([name, value]) => [name, fieldText(value)])), line);
  const klog = klogLine(line);
  if (klog !== null) return klog;
  const pairs = /^\s*[A-Za-z_@][\w.@/-]*=/.test(line) ? pairsIn(line.trim()) : null;
  // One pair alone is more often a sentence than a record.
  return pairs === null || pairs.size < 2 ? plain(line) : ofFields(pairs, line);
}

/** What a line says where its own text is empty: the label that stands for it. */
export function effectiveMessage(
  message: string,
  labels: Readonly<Record<string, string>>,
  messageFields: readonly string[] = MESSAGE_FIELDS,
): string {
  if (message !== '') return message;
  const field = messageFields.find((name) => (labels[name] ?? '') !== '');
  return field === undefined ? '' : (labels[field] ?? '');
}
