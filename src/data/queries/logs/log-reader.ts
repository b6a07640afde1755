/**
 * Reads the log of a question: the first lines at once, some more by itself, all of them when asked, newer ones for as
 * long as somebody follows. What comes goes on to the compute worker unread; here is only what is known about it.
 */
import type { ErrorFacts } from '../../../contract/errors.ts';
import type { AskedLog, LogPageRequest, ReadLogs } from '../../../contract/logs/log-pages.ts';
import type { Answer } from '../../../contract/queries/queries.ts';
import { MAX_HELD_LINES } from '../../../contract/logs/log-view.ts';
import type { WorkerApis } from '../../client/workers-proxy.ts';

/** The first page is short, so that it is there soon. */
const FIRST_LINES = 1000;
const PAGE_LINES = 10_000;
/** More is asked for only when somebody wants it. */
const OWN_LINES = 5000;
/** Lines of the last seconds are asked for again: some arrive late. */
const OVERLAP_MS = 10_000;
const MAX_TAIL_PAGES = 4;
/** A backend that gives nothing for longer is not waited for: each question would read all of the others again. */
const MAX_BEHIND_MS = 10 * 60_000;

export type LogQuestion = Omit<LogPageRequest, 'limit' | 'cursor' | 'page'>;

export interface LogLoad {
  /** Under which the compute worker holds it. */
  book: string;
  status: 'loading' | 'ready' | 'failed';
  /** Why it failed; or why more could not be read. */
  error: ErrorFacts | null;
  notes: readonly string[];
  /** Some backend gave nothing. */
  isPartial: boolean;
  gaps: readonly LogGap[];
  /** Lines that were read. */
  lines: number;
  /** There are older lines in the range. */
  hasMore: boolean;
  isReadingMore: boolean;
  /** What is read by itself is there; what follows is asked for. */
  isSettled: boolean;
  asOfMs: number;
  source: 'server' | 'device';
  /** What is shown was asked with: another question than the present one when it is from this device. */
  shown: AskedLog;
}

type Workers = Pick<WorkerApis, 'sync' | 'compute'>;

/** Why newer lines are missing for good: too many came at once; a backend gave nothing for too long. */
export type LogGap = 'tooMany' | 'silent';

type Told = Pick<LogLoad, 'notes' | 'isPartial'>;

const NOTHING: Told = { notes: [], isPartial: false };

/** Each note once. */
const together = (told: readonly Told[]): Told => ({
  notes: [...new Set(told.flatMap(({ notes }) => notes))],
  isPartial: told.some(({ isPartial }) => isPartial),
});

/** Before anything was answered. */
export function notYet(book: string, { query, start, end }: LogQuestion): LogLoad {
  return {
    book,
    status: 'loading',
    error: null,
    notes: [],
    isPartial: false,
    gaps: [],
    lines: 0,
    hasMore: false,
    isReadingMore: false,
    isSettled: false,
    asOfMs: 0,
    source: 'server',
    shown: { query, start, end },
  };
}

/** One for each question; close it when nobody looks any more. */
export class LogReader {
  private readonly workers: Workers;
  private readonly question: LogQuestion;
  private readonly publish: (load: LogLoad) => void;
  private load: LogLoad;
  private cursor: string | null = null;
  private page = 0;
  private isClosed = false;
  private isTailing = false;
  /** All backends have said what they had until then. */
  private completeMs: number | null = null;
  /** What was said of the range, and of newer lines the last time that they were asked for. */
  private readonly told = { pages: NOTHING, tail: NOTHING };

  constructor(parts: {
    workers: Workers;
    question: LogQuestion;
    book: string;
    publish: (load: LogLoad) => void;
  }) {
    this.workers = parts.workers;
    this.question = parts.question;
    this.publish = parts.publish;
    this.load = notYet(parts.book, parts.question);
  }

  /** The newest lines. */
  async start(): Promise<void> {
    await this.readPage(FIRST_LINES);
    if (this.load.lines < OWN_LINES) await this.more(OWN_LINES);
    this.set({ isSettled: true });
  }

  /** Older lines, until so many are held. */
  async more(wanted: number = MAX_HELD_LINES): Promise<void> {
    if (this.load.isReadingMore || this.load.status !== 'ready') return;
    const isWanted = () => this.load.hasMore && this.load.error === null && this.load.lines < wanted;
    if (!isWanted()) return;
    this.set({ isReadingMore: true });
    while (isWanted() && this.load.isReadingMore && !this.isClosed) await this.readPage(PAGE_LINES);
    this.set({ isReadingMore: false });
  }

  /** Reads no further back. */
  readonly stop = (): void => this.set({ isReadingMore: false });

  /** Lines since the newest one that is held; since the last time that all backends answered, where that is longer ago. */
  async follow(newestMs: number | null): Promise<void> {
    if (this.isTailing || this.load.status !== 'ready' || this.load.source === 'device') return;
    this.isTailing = true;
    try {
      await this.readNewer(this.tailStart(newestMs));
    } finally {
      this.isTailing = false;
    }
  }

  /** One source may be ahead of the others, and lines of the others are older than its newest one. */
  private tailStart(newestMs: number | null): string {
    const known = [newestMs, this.completeMs].filter((at) => at !== null);
    return known.length === 0 ? '1m' : new Date(Math.min(...known) - OVERLAP_MS).toISOString();
  }

  private async readNewer(start: string): Promise<void> {
    const told: Told[] = [];
    let cursor: string | null = null;
    let askedMs: number | null = null;
    for (let at = 0; at < MAX_TAIL_PAGES && !this.isClosed; at += 1) {
      const page = { limit: PAGE_LINES, cursor, page: null };
      const asked: LogPageRequest = { ...this.question, start, end: '', ...page };
      const answer: Answer<ReadLogs> = await this.workers.sync.act('read-logs', asked);
      if (this.isClosed) return;
      if (!answer.ok) return this.set({ error: answer.error });
      const { value } = answer;
      await this.put(value, 'newer');
      told.push(value);
      // Later pages are of before the first one was asked for.
      askedMs ??= value.asOfMs;
      this.set({ error: null, asOfMs: value.asOfMs });
      cursor = value.next;
      if (cursor === null) break;
    }
    this.told.tail = together(told);
    if (askedMs !== null) this.moveOn(askedMs, cursor === null);
    this.tell();
  }

  /** From where newer lines are asked for next; what is left behind for good is said. */
  private moveOn(askedMs: number, isWhole: boolean): void {
    if (!isWhole) this.gap('tooMany');
    else if (this.told.tail.isPartial) {
      if (this.completeMs === null || askedMs - this.completeMs <= MAX_BEHIND_MS) return;
      this.gap('silent');
      this.completeMs = askedMs - MAX_BEHIND_MS;
      return;
    }
    this.completeMs = askedMs;
  }

  private gap(gap: LogGap): void {
    if (!this.load.gaps.includes(gap)) this.set({ gaps: [...this.load.gaps, gap] });
  }

  private tell(): void {
    this.set(together([this.told.pages, this.told.tail]));
  }

  close(): void {
    this.isClosed = true;
    void this.workers.compute.act('drop-logs', { book: this.load.book });
  }

  private set(part: Partial<LogLoad>): void {
    if (this.isClosed) return;
    this.load = { ...this.load, ...part };
    this.publish(this.load);
  }

  private async put({ bytes }: ReadLogs, place: 'all' | 'older' | 'newer'): Promise<void> {
    await this.workers.compute.act('put-logs', { book: this.load.book, place, bytes });
  }

  private async readPage(limit: number): Promise<void> {
    const { page, cursor } = this;
    const answer = await this.workers.sync.act('read-logs', { ...this.question, limit, cursor, page });
    if (this.isClosed) return;
    if (!answer.ok) {
      this.set({ error: answer.error, ...(page === 0 ? { status: 'failed' as const } : {}) });
      return;
    }
    const { value } = answer;
    await this.put(value, page === 0 ? 'all' : 'older');
    this.cursor = value.next;
    this.page = page + 1;
    this.told.pages = together([this.told.pages, value]);
    // What is missing of the first page is of then; what comes later is asked for from there on.
    if (page === 0) this.completeMs = value.asOfMs;
    this.tell();
    this.set({
      status: 'ready',
      error: null,
      lines: this.load.lines + value.lines,
      hasMore: value.next !== null,
      asOfMs: page === 0 ? value.asOfMs : this.load.asOfMs,
      source: value.source,
      shown: value.question,
    });
  }
}
