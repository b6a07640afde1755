/** Text of a log, taken apart into lines (spec 3 §2 'Log line': timestamp, message, labels). Knows no clock. */
import { isRecord } from '../../lib/is-record.ts';
import type { EvidenceLogLine } from './evidence-draft.ts';
import { jsonOrNull } from '../../lib/json-or-null.ts';

/** Colours of a terminal: they say nothing here. */
// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const TERMINAL = /\u001b\[[0-9;?]*[A-Za-z]/g;

const TIMESTAMP =
  /^\[?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?([.,]\d{1,9})?\s?(Z\b|[+-]\d\d:?\d\d\b)?\]?(?:\s+|$)/;

const TIME_FIELDS = ['timestamp', '@timestamp', 'time', 'ts', 'date'] as const;
const MESSAGE_FIELDS = ['message', 'msg', 'log', 'line', 'text'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** The instant of a date and time; one without a zone is taken as UTC, which is what servers write. */
function isoOf(text: string): string | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

function plainLine(text: string): EvidenceLogLine {
  const found = TIMESTAMP.exec(text);
  const [all = '', day, minute, second = ':00', fraction = '', zone = 'Z'] = found ?? [];
  const timestamp =
    found === null
      ? null
      : isoOf(
          `${day}T${minute}${second}${fraction.replace(',', '.').slice(0, 4)}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`,
        );
  return { timestamp, message: timestamp === null ? text : text.slice(all.length), labels: {} };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function timestampOf(value: unknown): string | null {
  // Seconds or milliseconds since 1970; what is neither is no instant of a log.
  if (typeof value === 'number') {
    const ms = value < 1e11 ? value * 1000 : value;
    return ms > 0 && ms < 8e15 ? new Date(ms).toISOString() : null;
  }
  return typeof value === 'string' ? (plainLine(`${value} `).timestamp ?? null) : null;
}

/** A line of structured logging: its own time and message, everything else as labels. */
function lineOfFields(fields: Fields): EvidenceLogLine {
  const timeField = TIME_FIELDS.find((name) => Object.hasOwn(fields, name));
  const timestamp = timeField === undefined ? null : timestampOf(fields[timeField]);
  const messageField = MESSAGE_FIELDS.find((name) => typeof fields[name] === 'string');
  if (messageField === undefined) return { timestamp: null, message: JSON.stringify(fields), labels: {} };
  const rest = Object.entries(fields).filter(
    ([name]) => name !== messageField && (name !== timeField || timestamp === null),
  );
  return {
    timestamp,
    message: textOf(fields[messageField]),
    labels: Object.fromEntries(rest.map(([name, value]) => [name, textOf(value)])),
  };
}

function fieldsIn(text: string): Fields | null {
  if (!text.startsWith('{')) return null;
  const value = jsonOrNull(text);
  return isRecord(value) ? value : null;
}

/** Lines of a JSON file that is one array; null for any other text. */
function arrayIn(text: string): EvidenceLogLine[] | null {
  if (!text.startsWith('[')) return null;
  const values = jsonOrNull(text);
  if (!Array.isArray(values)) return null;
  return values.map((value: unknown) => (isRecord(value) ? lineOfFields(value) : plainLine(textOf(value))));
}

/** The lines of a pasted or opened log, in order; the empty one after the last line end is none. */
export function parseLogText(text: string): EvidenceLogLine[] {
  const clean = text.replace(TERMINAL, '').replace(/^\ufeff/, '');
  if (clean === '') return [];
  const array = arrayIn(clean.trim());
  if (array !== null) return array;
  const lines = clean.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => {
    const fields = fieldsIn(line.trim());
    return fields === null ? plainLine(line) : lineOfFields(fields);
  });
}
