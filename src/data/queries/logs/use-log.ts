import { useMemo, useSyncExternalStore } from 'react';
import type {
  LogDetail,
  LogFileForm,
  LogFrame,
  LogPatch,
  LogQuery,
  LogRow,
} from '../../../contract/logs/log-view.ts';
import type { Answer } from '../../../contract/queries/queries.ts';
import type { PackedLog } from '../../../domain/incident/evidence-log.ts';
import { dataClient } from '../../client/data-client.ts';
import { createSubscriptionStore } from '../../client/subscription-store.ts';
import type { WindowViewClient, WindowViewState } from '../../client/window-view-client.ts';
import { asCached } from '../../client/windows/window-views.ts';
import { useWindowLease, type ViewPool } from '../use-window-lease.ts';
import { LogReader, notYet, type LogLoad, type LogQuestion } from './log-reader.ts';

/** A log that is being read. */
interface Log {
  load: LogLoad | null;
  /** Reads on until all is held that can be, or until it is stopped. */
  readAll: () => void;
  stop: () => void;
  /** Asks for lines that are newer than this moment. */
  follow: (newestMs: number | null) => void;
}

/** Reads a component's log for as long as somebody looks; another `turn` reads it anew. Null reads none. */
export function useLog(question: LogQuestion | null, turn: number): Log {
  const text = JSON.stringify([question, turn]);
  const log = useMemo(() => {
    let reader: LogReader | null = null;
    const book = `log:${text}`;
    const store = createSubscriptionStore<LogLoad | null>(
      question === null ? null : notYet(book, question),
      (set) => {
        if (question === null) return () => {};
        const { workers } = dataClient();
        const opened = new LogReader({ workers, question, book, publish: set });
        reader = opened;
        // Whatever goes wrong is in what it publishes.
        void opened.start();
        return () => opened.close();
      },
    );
    return {
      store,
      readAll: () => void reader?.more(),
      stop: () => reader?.stop(),
      follow: (newestMs: number | null) => void reader?.follow(newestMs),
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the text stands for the question and the turn
  }, [text]);
  const load = useSyncExternalStore(log.store.subscribe, log.store.get);
  return { load, readAll: log.readAll, stop: log.stop, follow: log.follow };
}

export type LogViewState = WindowViewState<LogQuery, LogFrame, LogRow>;

const EMPTY: LogFrame = {
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

/** More than a screen of them: each row is taken apart at every key. */
const WINDOW_ROWS = 48;

const VIEWS: ViewPool<LogQuery, LogViewState, WindowViewClient<LogQuery, LogFrame, LogRow>> = {
  acquire: (query) =>
    dataClient().windows.acquire(query, {
      name: 'live-logs',
      at: asCached,
      // What is kept of lines, the sync worker keeps.
      isInMemory: true,
      open: (asked, listener: (patch: LogPatch) => void) =>
        dataClient().askLive('live-logs', asked, listener),
      emptyFrame: EMPTY,
      windowRows: WINDOW_ROWS,
      parts: ['levels', 'histogram', 'labelNames', 'groups'],
    }),
  release: (view) => dataClient().windows.release(view),
};

/** Lines that are held, narrowed; asked again at each key. */
export function useLogView(query: LogQuery): LogViewState {
  return useWindowLease(query, VIEWS);
}

/** A line whole. */
export function readLogLine(query: LogQuery, seq: number): Promise<Answer<LogDetail | null>> {
  return dataClient().workers.compute.act('read-log-line', { query, seq });
}

/** The lines that fit as a file. */
export function writeLogs(query: LogQuery, form: LogFileForm): Promise<Answer<Uint8Array>> {
  return dataClient().workers.compute.act('write-logs', { query, form });
}

/** Chosen lines with their neighbours. */
export function packLogLines(book: string, seqs: readonly number[]): Promise<Answer<PackedLog>> {
  return dataClient().workers.compute.act('pack-log-lines', { book, seqs: [...seqs] });
}
