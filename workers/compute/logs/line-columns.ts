/**
 * What a search asks of every held line, in columns of numbers: going through 100,000 of them takes a part of a
 * millisecond, through as many objects several. A place is the number of a line in its book, newest first.
 */
import { LOG_LEVELS } from '../../../src/domain/logs/log-level.ts';
import type { HeldLine } from './log-book.ts';

/** Stretches of time of the histogram. */
export const BUCKETS = 60;
const LETTERS = 26;
const FIRST_LETTER = 97;

export interface LineColumns {
  /** Every place. */
  all: Uint32Array;
  /** Its place in `LOG_LEVELS`. */
  levels: Uint8Array;
  seqs: Uint32Array;
  letters: Uint32Array;
  /** Which stretch of time it is of. */
  buckets: Uint8Array;
  fromMs: number;
  bucketMs: number;
  newestSeq: number | null;
}

/** Which of the letters a to z a text in lower case has, a bit each. */
export function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at) - FIRST_LETTER;
    if (letter >= 0 && letter < LETTERS) letters |= 1 << letter;
  }
  return letters;
}

/** The columns of lines that are in order, newest first. */
export function columnsOf(lines: readonly HeldLine[]): LineColumns {
  const count = lines.length;
  const fromMs = lines.at(-1)?.atMs ?? 0;
  const bucketMs = Math.max(1, Math.ceil(((lines[0]?.atMs ?? 0) - fromMs + 1) / BUCKETS));
  const columns: LineColumns = {
    all: new Uint32Array(count),
    levels: new Uint8Array(count),
    seqs: new Uint32Array(count),
    letters: new Uint32Array(count),
    buckets: new Uint8Array(count),
    fromMs,
    bucketMs,
    newestSeq: null,
  };
  for (const [place, { atMs, level, letters, seq }] of lines.entries()) {
    columns.all[place] = place;
    columns.levels[place] = LOG_LEVELS.indexOf(level);
    columns.seqs[place] = seq;
    columns.letters[place] = letters;
    columns.buckets[place] = Math.min(BUCKETS - 1, Math.max(0, Math.floor((atMs - fromMs) / bucketMs)));
    columns.newestSeq = Math.max(columns.newestSeq ?? 0, seq);
  }
  return columns;
}

/** Those of the places that fit, in their order. */
export function keep(places: Uint32Array, fits: (place: number) => boolean): Uint32Array {
  const kept = new Uint32Array(places.length);
  let count = 0;
  for (const place of places) {
    if (!fits(place)) continue;
    kept[count] = place;
    count += 1;
  }
  return kept.subarray(0, count);
}
