/** Which lines fit a search: at typing speed, so a text that goes on looks only through what fitted before. */
import type { LogBucket, LogFrame, LogQuery } from '../../../src/contract/logs/log-view.ts';
import { LOG_LEVELS, type LogLevel } from '../../../src/domain/logs/log-level.ts';
import { hasWords, searchWords } from '../../../src/domain/logs/search-words.ts';
import { BUCKETS, keep, lettersOf, type LineColumns } from './line-columns.ts';
import type { HeldLine, LogBook } from './log-book.ts';

/** As many values as a page names. */
const MAX_GROUPS = 50;
const ERRORS: readonly LogLevel[] = ['error', 'fatal'];

export interface Found {
  /** Of the book's lines, newest first. */
  places: Uint32Array;
  words: string[];
  frame: LogFrame;
}

interface Looked {
  version: number;
  search: string;
  untilSeq: number | null;
  places: Uint32Array;
}

const isLonger = (before: string, now: string) => now.startsWith(before) && !before.includes('"');

const isLetter = (word: string) => word.length === 1 && word >= 'a' && word <= 'z';

function histogramOf(columns: LineColumns, shown: Uint32Array): LogFrame['histogram'] {
  if (columns.all.length === 0) return null;
  const { levels, fromMs, bucketMs } = columns;
  // Of each stretch, how many lines of each level.
  const counts = new Uint32Array(BUCKETS * LOG_LEVELS.length);
  for (const place of shown) {
    const at = (columns.buckets[place] ?? 0) * LOG_LEVELS.length + (levels[place] ?? 0);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const buckets = Array.from({ length: BUCKETS }, (_, at): LogBucket => {
    const first = at * LOG_LEVELS.length;
    const of = (level: LogLevel) => counts[first + LOG_LEVELS.indexOf(level)] ?? 0;
    return {
      count: counts.subarray(first, first + LOG_LEVELS.length).reduce((sum, count) => sum + count, 0),
      errors: ERRORS.reduce((sum, level) => sum + of(level), 0),
      warnings: of('warning'),
    };
  });
  return { fromMs, bucketMs, buckets };
}

/** How many lines each level has, without those that have none. */
function levelsOf({ levels }: LineColumns, places: Uint32Array): LogFrame['levels'] {
  const counts = new Uint32Array(LOG_LEVELS.length);
  for (const place of places) {
    const level = levels[place] ?? 0;
    counts[level] = (counts[level] ?? 0) + 1;
  }
  return LOG_LEVELS.flatMap((level, at) => {
    const count = counts[at] ?? 0;
    return count === 0 ? [] : [{ level, count }];
  });
}

/** A value that JSON lines have as a field is not here: labels are what the backend says of its lines. */
const valueOf = ({ labels }: HeldLine, name: string): string =>
  Object.hasOwn(labels, name) ? (labels[name] ?? '') : '';

function groupsOf(lines: readonly HeldLine[], places: Uint32Array, groupBy: string | null) {
  if (groupBy === null) return { groups: [], groupCount: 0 };
  const counts = new Map<string, number>();
  for (const place of places) {
    const line = lines[place];
    if (line === undefined) continue;
    const value = valueOf(line, groupBy);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const groups = [...counts].map(([value, count]) => ({ value, count }));
  return {
    groups: groups.toSorted((a, b) => b.count - a.count).slice(0, MAX_GROUPS),
    groupCount: groups.length,
  };
}

/** Those of a stretch of time. */
function within(lines: readonly HeldLine[], places: Uint32Array, between: LogQuery['between']): Uint32Array {
  if (between === null) return places;
  return keep(places, (place) => {
    const atMs = lines[place]?.atMs ?? 0;
    return atMs >= between.fromMs && atMs <= between.toMs;
  });
}

/** Places of the lines that have all the words; the letters that they are of rule most others out unread. */
function having(book: LogBook, from: Uint32Array, words: readonly string[]): Uint32Array {
  if (words.length === 0) return from;
  const { letters } = book.columns();
  const wanted = lettersOf(words.join(''));
  // That a line has a letter is known.
  const read = words.filter((word) => !isLetter(word));
  return keep(
    from,
    (place) =>
      ((letters[place] ?? 0) & wanted) === wanted &&
      (read.length === 0 || hasWords(book.lines[place]?.lower ?? '', read)),
  );
}

/** One for each view; it remembers what fitted the text before. */
export class LogSearch {
  private last: Looked | null = null;

  /** Lines with the words, whatever their level and time. */
  private withWords(book: LogBook, { search, untilSeq }: LogQuery, words: readonly string[]): Uint32Array {
    const { last } = this;
    const { all, seqs } = book.columns();
    const isNarrower =
      last !== null &&
      last.version === book.version &&
      last.untilSeq === untilSeq &&
      isLonger(last.search, search);
    const inTime = () => (untilSeq === null ? all : keep(all, (place) => (seqs[place] ?? 0) <= untilSeq));
    const places = having(book, isNarrower ? last.places : inTime(), words);
    this.last = { version: book.version, search, untilSeq, places };
    return places;
  }

  find(book: LogBook, query: LogQuery): Found {
    const { levels, between, untilSeq, groupBy, group } = query;
    const { lines } = book;
    const columns = book.columns();
    const words = searchWords(query.search);
    const found = this.withWords(book, query, words);
    const wanted = new Set(levels.map((level) => LOG_LEVELS.indexOf(level)));
    const ofLevels =
      levels.length === 0 ? found : keep(found, (place) => wanted.has(columns.levels[place] ?? 0));
    const isOfGroup = (line: HeldLine | undefined) =>
      line !== undefined && groupBy !== null && valueOf(line, groupBy) === group;
    const ofGroup =
      groupBy === null || group === null ? ofLevels : keep(ofLevels, (place) => isOfGroup(lines[place]));
    const places = within(lines, ofGroup, between);
    const waiting =
      untilSeq === null ? 0 : columns.seqs.reduce((count, seq) => count + (seq > untilSeq ? 1 : 0), 0);
    return {
      places,
      words,
      frame: {
        isLoaded: true,
        rowCount: places.length,
        totalCount: lines.length,
        waiting,
        levels: levelsOf(columns, found),
        histogram: histogramOf(columns, ofGroup),
        labelNames: [...book.labelNames],
        ...groupsOf(lines, within(lines, ofLevels, between), groupBy),
        newestMs: lines[0]?.atMs ?? null,
        newestSeq: columns.newestSeq,
      },
    };
  }
}
