/** A line as the list and its detail show it. */
import type { LogDetail, LogRow } from '../../../src/contract/logs/log-view.ts';
import { readAnsi } from '../../../src/domain/logs/ansi.ts';
import { linePieces } from '../../../src/domain/logs/line-pieces.ts';
import { effectiveMessage, parseLogLine } from '../../../src/domain/logs/parse-line.ts';
import type { HeldLine } from './log-book.ts';

/** Of a line in the list; the rest is in its detail. */
const MAX_ROW_CHARS = 2000;
const MAX_ROW_LABELS = 12;
/** What a label of the list shows. */
const MAX_LABEL_CHARS = 200;

type Pair = [name: string, value: string];

/** What the line says of itself, beside its message. */
function fieldsOf(line: HeldLine): { message: string; fields: Pair[] } {
  const { message, severity, source, host, labels } = parseLogLine(readAnsi(line.raw).text);
  const own: Pair[] = [
    ['level', severity],
    ['source', source],
    ['host', host],
  ];
  return { message, fields: [...own, ...Object.entries(labels)].filter(([, value]) => value !== '') };
}

const OWN_TIME = /^\[?(\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?)\]?\s+/;

/** How many characters at the beginning say the time of the line, which the list has in a column. */
function ownTimeChars(text: string, atMs: number): number {
  const [whole = '', time = ''] = OWN_TIME.exec(text.slice(0, 50)) ?? [];
  return Date.parse(time) === atMs ? whole.length : 0;
}

/** What the line says after its time. */
export const withoutOwnTime = (text: string, atMs: number): string => text.slice(ownTimeChars(text, atMs));

/** The pieces of the shown text: of a record its message, of any other line the line with its colours. */
function piecesOf(
  line: HeldLine,
  words: readonly string[],
  { maxChars, skipsTime }: { maxChars: number; skipsTime: boolean },
) {
  const parsed = fieldsOf(line);
  const read = readAnsi(line.raw);
  const said = effectiveMessage(parsed.message, line.labels);
  const isWhole = said === read.text;
  const from = skipsTime ? ownTimeChars(said, line.atMs) : 0;
  const isCut = said.length - from > maxChars;
  const runs = (isWhole ? read.runs : []).map((run) => ({
    ...run,
    start: Math.max(0, run.start - from),
    end: Math.max(0, run.end - from),
  }));
  return { pieces: linePieces(said.slice(from, from + maxChars), runs, words), isCut, fields: parsed.fields };
}

/** The list has the time in a column and the level as a mark. */
const SAID_ALREADY: ReadonlySet<string> = new Set(['level', 'time', 'ts', 'timestamp', '@timestamp']);

/** As the list shows it. */
export function rowOf(line: HeldLine, words: readonly string[]): LogRow {
  const { pieces, isCut, fields } = piecesOf(line, words, {
    maxChars: MAX_ROW_CHARS,
    skipsTime: true,
  });
  const labels = [...fields.filter(([name]) => !SAID_ALREADY.has(name)), ...Object.entries(line.labels)];
  return {
    seq: line.seq,
    atMs: line.atMs,
    level: line.level,
    pieces,
    isCut,
    labels: labels
      .slice(0, MAX_ROW_LABELS)
      .map(([name, value]): Pair => [name, value.slice(0, MAX_LABEL_CHARS)]),
  };
}

/** Whole, taken apart. */
export function detailOf(line: HeldLine, words: readonly string[]): LogDetail {
  const { pieces, fields } = piecesOf(line, words, { maxChars: Number.POSITIVE_INFINITY, skipsTime: false });
  return {
    atMs: line.atMs,
    level: line.level,
    text: readAnsi(line.raw).text,
    pieces,
    labels: Object.entries(line.labels),
    fields,
  };
}
