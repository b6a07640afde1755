/** All logs that pages look at, by name, and the views on them. They are in memory only; the sync worker keeps some. */
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import type {
  LogDetail,
  LogFileForm,
  LogFrame,
  LogPatch,
  LogQuery,
  LogRow,
} from '../../../src/contract/logs/log-view.ts';
import type { RowWindow } from '../../../src/contract/worker.ts';
import type { EvidenceLogLine } from '../../../src/domain/incident/evidence-draft.ts';
import { CONTEXT_LINES, packLog, type PackedLog } from '../../../src/domain/incident/evidence-log.ts';
import { withoutAnsi } from '../../../src/domain/logs/ansi.ts';
import { groupLines } from '../../../src/domain/logs/group-lines.ts';
import { searchWords } from '../../../src/domain/logs/search-words.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import type { ComputePlatform } from '../platform.ts';
import { updatesOf, type OpenQuery } from '../subscriptions/live-handler.ts';
import { createThrottle } from '../throttle.ts';
import { createWindowView, type WindowView } from '../window-view.ts';
import { LogBook, type HeldLine, type SentLine } from './log-book.ts';
import { detailOf, rowOf, withoutOwnTime } from './log-rows.ts';
import { LogSearch } from './log-search.ts';

const REFRESH_GAP_MS = 100;
/** A page that was left forgets its own; this is for those that were killed. */
const MAX_BOOKS = 4;

interface Put {
  book: string;
  place: 'all' | 'older' | 'newer';
  bytes: Uint8Array;
}
interface Asked {
  query: LogQuery;
  window: RowWindow;
}

function linesIn(bytes: Uint8Array): SentLine[] {
  const answer: unknown = JSON.parse(new TextDecoder().decode(bytes));
  // The sync worker has parsed what it hands on; here only its shape is looked at.
  if (!isRecord(answer) || !Array.isArray(answer['results']))
    throw new AppError('bad_payload', ERROR_TEXTS.bad_payload);
  return answer['results'] as SentLine[];
}

const NOTHING: LogFrame = {
  isLoaded: false,
  rowCount: 0,
  totalCount: 0,
  waiting: 0,
  levels: [],
  histogram: null,
  labelNames: [],
  groups: [],
  groupCount: 0,
  newestMs: null,
  newestSeq: null,
};

const evidenceLine = ({ atMs, raw, labels }: HeldLine): EvidenceLogLine => ({
  timestamp: new Date(atMs).toISOString(),
  message: withoutAnsi(raw),
  labels,
});

/** The lines of these places. */
function linesAt(lines: readonly HeldLine[], places: Iterable<number>): HeldLine[] {
  return Array.from(places, (place) => lines[place]).filter((line) => line !== undefined);
}

/** As lines of a file; by groups where they are looked at so. */
function textsOf(lines: readonly HeldLine[], form: LogFileForm, { groupBy }: LogQuery): string[] {
  if (form === 'text')
    return lines.map(evidenceLine).map(({ timestamp, message }) => `${timestamp ?? ''} ${message}\n`);
  if (form === 'json' && groupBy === null)
    return lines.map((line) => `${JSON.stringify(evidenceLine(line))}\n`);
  const isCounted = form === 'counted';
  const groupable = lines.map((line) => {
    const { timestamp, message, labels } = evidenceLine(line);
    return { timestamp, message: isCounted ? withoutOwnTime(message, line.atMs) : message, labels };
  });
  const groups = groupLines(groupable, {
    groupBy: groupBy === null ? [] : [groupBy],
    dedupBy: isCounted ? ['message'] : [],
  });
  return groups.map((group) => `${JSON.stringify(group)}\n`);
}

/** One for the worker. */
export class LogBooks {
  private readonly books = new Map<string, LogBook>();
  private readonly views = new Set<Pick<WindowView<unknown>, 'refresh'>>();
  private readonly soon: () => void;

  constructor(platform: Pick<ComputePlatform, 'now' | 'later'>) {
    this.soon = createThrottle(platform, REFRESH_GAP_MS, () => {
      for (const view of this.views) view.refresh();
    });
  }

  async put({ book: name, place, bytes }: Put): Promise<number> {
    const sent = linesIn(bytes);
    const book = this.books.get(name) ?? new LogBook();
    this.books.delete(name);
    this.books.set(name, book);
    for (const old of [...this.books.keys()].slice(0, Math.max(0, this.books.size - MAX_BOOKS)))
      this.books.delete(old);
    if (place === 'all') book.replace(sent);
    else if (place === 'older') book.addOlder(sent);
    else book.addNewer(sent);
    this.soon();
    return book.lines.length;
  }

  async drop(name: string): Promise<void> {
    this.books.delete(name);
  }

  /** Somebody else is signed in. */
  forget(): void {
    this.books.clear();
    this.soon();
  }

  open(asked: Asked, listener: (patch: LogPatch) => void): OpenQuery<Asked> {
    const search = new LogSearch();
    const view = createWindowView<LogQuery, LogFrame, LogRow>({
      ...asked,
      answer: (query) => {
        const book = this.books.get(query.book);
        if (book === undefined) return { frame: NOTHING, rows: () => [] };
        const { places, words, frame } = search.find(book, query);
        const { lines } = book;
        const linesOf = (start: number, end: number) => linesAt(lines, places.subarray(start, end));
        return { frame, rows: (start, end) => linesOf(start, end).map((line) => rowOf(line, words)) };
      },
      isSameFrame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      listener,
    });
    this.views.add(view);
    return { update: updatesOf(view), close: () => void this.views.delete(view) };
  }

  private found(query: LogQuery): HeldLine[] {
    const book = this.books.get(query.book);
    return book === undefined ? [] : linesAt(book.lines, new LogSearch().find(book, query).places);
  }

  line(query: LogQuery, seq: number): LogDetail | null {
    const line = this.books.get(query.book)?.lines.find((one) => one.seq === seq);
    return line === undefined ? null : detailOf(line, searchWords(query.search));
  }

  write(query: LogQuery, form: LogFileForm): Uint8Array {
    const lines = this.found(query).toReversed();
    return new TextEncoder().encode(textsOf(lines, form, query).join(''));
  }

  pack(name: string, seqs: readonly number[]): PackedLog {
    const wanted = new Set(seqs);
    const inOrder = (this.books.get(name)?.lines ?? []).toReversed();
    const chosen = inOrder.flatMap(({ seq }, at) => (wanted.has(seq) ? [at] : []));
    const first = Math.max(0, (chosen[0] ?? 0) - CONTEXT_LINES);
    const last = Math.min(inOrder.length, (chosen.at(-1) ?? 0) + CONTEXT_LINES + 1);
    const near = inOrder.slice(first, last).map(evidenceLine);
    return packLog(near, new Set(chosen.map((at) => at - first)));
  }
}
