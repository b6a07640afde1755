/** The hand-over note of a shift: what this device knows of it, as lines that whoever leaves goes over. Pure. */
import { isRecord } from '../../lib/is-record.ts';

export interface ShiftNote {
  id: string;
  text: string;
  shiftFrom: string;
  createdBy: string;
  createdAt: string;
}

/** A row as a note; null for rows of another kind. */
export function shiftNoteOf(row: unknown): ShiftNote | null {
  if (!isRecord(row) || row['kind'] !== 'shift_note') return null;
  const { id, text, shift_from: shiftFrom, created_by: createdBy, created_at: createdAt } = row;
  const texts = [id, text, shiftFrom, createdBy, createdAt];
  if (!texts.every((one) => typeof one === 'string')) return null;
  const [noteId = '', words = '', from = '', by = '', at = ''] = texts;
  return { id: noteId, text: words, shiftFrom: from, createdBy: by, createdAt: at };
}

/** A thing that the note names, and what is said of it. */
export interface ShiftThing {
  name: string;
  /** ISO; when it began or changed. */
  at: string | null;
  says: string;
}

export interface ShiftPart {
  title: string;
  /** Said where there is nothing. */
  none: string;
  things: readonly ShiftThing[];
  /** How many there are in all. */
  total: number;
  /** There may be more of them than `total`. */
  isAtLeast?: boolean;
}

interface NoteWords {
  time: (at: string) => string;
  more: (count: number) => string;
  moreAtLeast: (count: number) => string;
}

const MOST_LINES = 20;

/**
 * The beginning of a shift, a whole second, as text that is before every time of a row from then on: the server writes
 * them in UTC, with or without parts of a second.
 */
export function sinceOf(fromMs: number): string {
  return new Date(fromMs).toISOString().slice(0, 19);
}

/** Whether something happened in the shift. */
export function isInShift(at: string | null | undefined, fromMs: number): boolean {
  const atMs = Date.parse(at ?? '');
  return !Number.isNaN(atMs) && atMs >= fromMs;
}

/** The parts as plain text: a title each, a line for each thing. */
export function noteText(parts: readonly ShiftPart[], words: NoteWords): string {
  const blocks = parts.map(({ title, none, things, total, isAtLeast = false }) => {
    const lines = things.slice(0, MOST_LINES).map(({ name, at, says }) => {
      const when = at === null ? '' : `${words.time(at)} `;
      return `- ${when}${[name, says].filter((one) => one !== '').join(': ')}`;
    });
    const left = total - lines.length;
    const rest = left > 0 || isAtLeast ? [`- ${isAtLeast ? words.moreAtLeast(left) : words.more(left)}`] : [];
    return [title, ...(total === 0 ? [none] : [...lines, ...rest])].join('\n');
  });
  return blocks.join('\n\n');
}
