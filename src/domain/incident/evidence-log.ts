/**
 * A log as evidence keeps it (spec 3 §2, §9): the lines that were chosen with three around each, small enough to
 * travel as one command. Invariant: chosen lines come before context when there is no room for both.
 */
import { isRecord } from '../../lib/is-record.ts';
import type { EvidenceLogLine } from './evidence-draft.ts';

/** What evidence keeps of a log, and what there was no room for. */
export interface PackedLog {
  payload: LogPayload;
  cut: LogCut;
}

/** Spec 3 §9. */
export const CONTEXT_LINES = 3;
/** A command takes 200,000 characters of JSON (contract/commands/fields.ts); the rest is for what goes around. */
const MAX_CHARS = 180_000;
const MAX_MESSAGE_CHARS = 10_000;
const MAX_LABELS = 30;
const MAX_LABEL_CHARS = 300;
/** The brackets, names and the number of a line around what it says. */
const LINE_OVERHEAD = 24;

/** One line with its number in the text that it came from, from 1. */
export interface StoredLogLine extends EvidenceLogLine {
  number: number;
  isSelected: boolean;
}

/** What could not be kept. */
export interface LogCut {
  /** Chosen lines that are missing. */
  lines: number;
  /** Lines of which only the beginning is there. */
  shortened: number;
  /** Lines around that are missing. */
  context: number;
}

export interface LogPayload {
  /** Number of the first line. */
  start: number;
  lines: (EvidenceLogLine & { number: number })[];
  /** Numbers of the chosen ones. */
  selected_lines: number[];
}

/** Indexes of the chosen lines and of what is around them, in order, each once. */
export function withContext(selected: Iterable<number>, total: number, context = CONTEXT_LINES): number[] {
  const shown = new Set<number>();
  for (const at of selected) {
    const last = Math.min(total - 1, at + context);
    for (let index = Math.max(0, at - context); index <= last; index += 1) shown.add(index);
  }
  return [...shown].toSorted((a, b) => a - b);
}

/** The text's beginning, never half of a character. */
function beginningOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(chars - 1));
  return text.slice(0, isHalf ? chars - 1 : chars);
}

function shortened(line: EvidenceLogLine): { line: EvidenceLogLine; isShortened: boolean } {
  const labels = Object.entries(line.labels);
  const isShortened =
    line.message.length > MAX_MESSAGE_CHARS ||
    labels.length > MAX_LABELS ||
    labels.some(([name, value]) => name.length + value.length > MAX_LABEL_CHARS);
  if (!isShortened) return { line, isShortened };
  return {
    isShortened,
    line: {
      timestamp: line.timestamp,
      message: beginningOf(line.message, MAX_MESSAGE_CHARS),
      labels: Object.fromEntries(
        labels
          .slice(0, MAX_LABELS)
          .map(([name, value]) => [beginningOf(name, 100), beginningOf(value, MAX_LABEL_CHARS - 100)]),
      ),
    },
  };
}

/** What evidence keeps of a log: the chosen lines and their neighbours, as far as there is room, and what was cut. */
export function packLog(
  lines: readonly EvidenceLogLine[],
  selected: ReadonlySet<number>,
  maxChars = MAX_CHARS,
): { payload: LogPayload; cut: LogCut } {
  const cut: LogCut = { lines: 0, shortened: 0, context: 0 };
  const kept = new Map<number, EvidenceLogLine>();
  let room = maxChars;
  const keep = (index: number): boolean => {
    const found = lines[index];
    if (found === undefined) return true;
    const { line, isShortened } = shortened(found);
    const chars = JSON.stringify(line).length + LINE_OVERHEAD;
    if (chars > room) return false;
    room -= chars;
    kept.set(index, line);
    if (isShortened) cut.shortened += 1;
    return true;
  };
  const chosen = [...selected].filter((at) => at >= 0 && at < lines.length).toSorted((a, b) => a - b);
  for (const index of chosen) if (!keep(index)) cut.lines += 1;
  for (const index of withContext(chosen, lines.length)) {
    if (!selected.has(index) && !keep(index)) cut.context += 1;
  }
  const order = [...kept.keys()].toSorted((a, b) => a - b);
  return {
    cut,
    payload: {
      start: (order[0] ?? 0) + 1,
      lines: order.flatMap((index) => {
        const line = kept.get(index);
        return line === undefined ? [] : [{ ...line, number: index + 1 }];
      }),
      selected_lines: order.filter((index) => selected.has(index)).map((index) => index + 1),
    },
  };
}

function labelsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
}

function lineOf(value: unknown): EvidenceLogLine | null {
  if (typeof value === 'string') return { timestamp: null, message: value, labels: {} };
  if (!isRecord(value)) return null;
  const message = [value.message, value.line, value.msg].find((one) => typeof one === 'string');
  if (typeof message !== 'string') return null;
  const timestamp = typeof value.timestamp === 'string' ? value.timestamp : null;
  return { timestamp, message, labels: labelsOf(value.labels) };
}

function numbersOf(value: unknown): Set<number> {
  const all: unknown[] = Array.isArray(value) ? value : isRecord(value) ? Object.keys(value) : [];
  return new Set(all.map(Number).filter((number) => Number.isInteger(number)));
}

/** The lines of a log evidence, whoever wrote it: other clients keep bare texts, or texts by their number. */
export function readLog(evidence: unknown): StoredLogLine[] {
  if (!isRecord(evidence)) return [];
  const selected = numbersOf(evidence.selected_lines);
  const start = Number.isInteger(evidence.start) ? Number(evidence.start) : 1;
  const entries: [number | null, unknown][] = Array.isArray(evidence.lines)
    ? evidence.lines.map((value: unknown) => [null, value])
    : Object.entries(isRecord(evidence.lines) ? evidence.lines : {}).map(([key, value]) => [
        Number(key),
        value,
      ]);
  return entries.flatMap(([key, value], at) => {
    const line = lineOf(value);
    if (line === null) return [];
    const own = isRecord(value) && Number.isInteger(value.number) ? Number(value.number) : null;
    const number = own ?? (key !== null && Number.isInteger(key) ? key : start + at);
    return [{ ...line, number, isSelected: selected.has(number) }];
  });
}

/** The chosen lines with their context; everything where none was chosen. */
export function nearSelection(lines: readonly StoredLogLine[]): StoredLogLine[] {
  const selected = lines.flatMap(({ isSelected }, at) => (isSelected ? [at] : []));
  if (selected.length === 0) return [...lines];
  return withContext(selected, lines.length).flatMap((at) => lines[at] ?? []);
}
