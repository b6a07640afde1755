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

/** Before anything was answered. */
export function notYet(book: string, { query, start, end }: LogQuestion): LogLoad {
  return {
    book,
    status: 'loading',
    error: null,
    notes: [],
    isPartial: false,
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

  /** Lines since the newest one that is held. */
  async follow(newestMs: number | null): Promise<void> {
    if (this.isTailing || this.load.status !== 'ready' || this.load.source === 'device') return;
    this.isTailing = true;
    try {
      const start = newestMs === null ? '1m' : new Date(newestMs - OVERLAP_MS).toISOString();
      let cursor: string | null = null;
      for (let at = 0; at < MAX_TAIL_PAGES && !this.isClosed; at += 1) {
        const asked: LogPageRequest = {
          ...this.question,
          start,
          end: '',
          limit: PAGE_LINES,
          cursor,
          page: null,
        };
        const answer: Answer<ReadLogs> = await this.workers.sync.act('read-logs', asked);
        if (this.isClosed) return;
        if (!answer.ok) return this.set({ error: answer.error });
        await this.put(answer.value, 'newer');
        this.set({ error: null, asOfMs: answer.value.asOfMs, notes: answer.value.notes });
        cursor = answer.value.next;
        if (cursor === null) return;
      }
    } finally {
      this.isTailing = false;
    }
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
    this.set({
      status: 'ready',
      error: null,
      notes: [...new Set([...this.load.notes, ...value.notes])],
      isPartial: this.load.isPartial || value.isPartial,
      lines: this.load.lines + value.lines,
      hasMore: value.next !== null,
      asOfMs: page === 0 ? value.asOfMs : this.load.asOfMs,
      source: value.source,
      shown: value.question,
    });
  }
}
