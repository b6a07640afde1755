/** Which lines fit a search: at typing speed, so a text that goes on looks only through what fitted before. */
import type { LogBucket, LogFrame, LogQuery } from '../../../src/contract/logs/log-view.ts';
import { LOG_LEVELS, type LogLevel } from '../../../src/domain/logs/log-level.ts';
import { hasWords, searchWords } from '../../../src/domain/logs/search-words.ts';
import type { HeldLine, LogBook } from './log-book.ts';

const BUCKETS = 60;
/** As many values as a page names. */
const MAX_GROUPS = 50;

export interface Found {
  /** Newest first. */
  lines: readonly HeldLine[];
  words: string[];
  frame: LogFrame;
}

interface Looked {
  version: number;
  search: string;
  untilSeq: number | null;
  lines: readonly HeldLine[];
}

const isLonger = (before: string, now: string) => now.startsWith(before) && !before.includes('"');

function histogramOf(all: readonly HeldLine[], shown: readonly HeldLine[]): LogFrame['histogram'] {
  const [newest] = all;
  const oldest = all.at(-1);
  if (newest === undefined || oldest === undefined) return null;
  const bucketMs = Math.max(1, Math.ceil((newest.atMs - oldest.atMs + 1) / BUCKETS));
  const buckets = Array.from({ length: BUCKETS }, (): LogBucket => ({ count: 0, errors: 0, warnings: 0 }));
  for (const { atMs, level } of shown) {
    const bucket = buckets[Math.min(BUCKETS - 1, Math.max(0, Math.floor((atMs - oldest.atMs) / bucketMs)))];
    if (bucket === undefined) continue;
    bucket.count += 1;
    if (level === 'error' || level === 'fatal') bucket.errors += 1;
    else if (level === 'warning') bucket.warnings += 1;
  }
  return { fromMs: oldest.atMs, bucketMs, buckets };
}

/** A value that JSON lines have as a field is not here: labels are what the backend says of its lines. */
const valueOf = ({ labels }: HeldLine, name: string): string =>
  Object.hasOwn(labels, name) ? (labels[name] ?? '') : '';

function groupsOf(lines: readonly HeldLine[], groupBy: string | null) {
  if (groupBy === null) return { groups: [], groupCount: 0 };
  const counts = new Map<string, number>();
  for (const line of lines) {
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
function within(lines: readonly HeldLine[], between: LogQuery['between']): readonly HeldLine[] {
  return between === null
    ? lines
    : lines.filter(({ atMs }) => atMs >= between.fromMs && atMs <= between.toMs);
}

/** One for each view; it remembers what fitted the text before. */
export class LogSearch {
  private last: Looked | null = null;

  /** Lines with the words, whatever their level and time. */
  private withWords(
    book: LogBook,
    { search, untilSeq }: LogQuery,
    words: readonly string[],
  ): readonly HeldLine[] {
    const { last } = this;
    const isNarrower =
      last !== null &&
      last.version === book.version &&
      last.untilSeq === untilSeq &&
      isLonger(last.search, search);
    const from = isNarrower ? last.lines : book.lines;
    const lines =
      words.length === 0 && untilSeq === null
        ? from
        : from.filter(({ lower, seq }) => (untilSeq === null || seq <= untilSeq) && hasWords(lower, words));
    this.last = { version: book.version, search, untilSeq, lines };
    return lines;
  }

  find(book: LogBook, query: LogQuery): Found {
    const { levels, between, untilSeq, groupBy, group } = query;
    const words = searchWords(query.search);
    const found = this.withWords(book, query, words);
    const counts = new Map<LogLevel, number>();
    for (const { level } of found) counts.set(level, (counts.get(level) ?? 0) + 1);
    const wanted = new Set<LogLevel>(levels);
    const ofLevels = levels.length === 0 ? found : found.filter(({ level }) => wanted.has(level));
    const isOfGroup = (line: HeldLine) => groupBy === null || valueOf(line, groupBy) === group;
    const ofGroup = groupBy === null || group === null ? ofLevels : ofLevels.filter(isOfGroup);
    const lines = within(ofGroup, between);
    const [newest] = book.lines;
    let newestSeq: number | null = null;
    let waiting = 0;
    for (const { seq } of book.lines) {
      newestSeq = newestSeq === null ? seq : Math.max(newestSeq, seq);
      if (untilSeq !== null && seq > untilSeq) waiting += 1;
    }
    return {
      lines,
      words,
      frame: {
        isLoaded: true,
        rowCount: lines.length,
        totalCount: book.lines.length,
        waiting,
        levels: LOG_LEVELS.flatMap((level) => {
          const count = counts.get(level) ?? 0;
          return count === 0 ? [] : [{ level, count }];
        }),
        histogram: histogramOf(book.lines, ofGroup),
        labelNames: [...book.labelNames],
        ...groupsOf(within(ofLevels, between), groupBy),
        newestMs: newest?.atMs ?? null,
        newestSeq,
      },
    };
  }
}
