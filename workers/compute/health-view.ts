/**
 * A standing question about the health board: remembers what was sent and sends only what differs. A new
 * question or window is answered before the call returns, so that typing never waits for anything else.
 */
import type {
  HealthFrame,
  HealthPatch,
  HealthQuery,
  HealthRow,
  RowWindow,
} from '../../src/contract/worker.ts';
import type { TimeRange } from '../../src/domain/time/ranges.ts';
import { boardOf, type Board, type BoardInput } from './health-board.ts';

export interface HealthView {
  setQuery(query: HealthQuery): void;
  setWindow(window: RowWindow): void;
  /** The data may have changed: sends the difference, if there is one. */
  refresh(): void;
}

interface Sent {
  frame: HealthFrame | null;
  frameText: string;
  window: RowWindow;
  rowTexts: string[];
}

const NOTHING: Sent = { frame: null, frameText: '', window: { start: 0, end: 0 }, rowTexts: [] };

/** Facets may be long and rarely change, so they are compared by their parts' identity. */
function sameFacets(a: HealthFrame, b: HealthFrame): boolean {
  return a.facets.length === b.facets.length && a.facets.every((facet, at) => facet === b.facets[at]);
}

/** The shortest run of rows that brings the other side up to date; null when it is. */
function changedRows(
  sent: Sent,
  now: { window: RowWindow; rows: readonly HealthRow[]; texts: readonly string[] },
): HealthPatch['rows'] | null {
  const { window, rows, texts } = now;
  const isKnown = (at: number) => {
    const known = window.start + at - sent.window.start;
    return known >= 0 && sent.rowTexts[known] === texts[at];
  };
  let first = 0;
  while (first < rows.length && isKnown(first)) first += 1;
  if (first === rows.length) return null;
  let last = rows.length - 1;
  while (last > first && isKnown(last)) last -= 1;
  return { start: window.start + first, rows: rows.slice(first, last + 1) };
}

/** Opens a view; the listener is called at once with the whole answer. */
export function createHealthView(options: {
  query: HealthQuery;
  window: RowWindow;
  read: (range: TimeRange) => BoardInput;
  listener: (patch: HealthPatch) => void;
}): HealthView {
  const { read, listener } = options;
  let { query, window } = options;
  let generation = 0;
  let sent = NOTHING;
  let board: Board = boardOf(read(query.timeRange), query);

  const send = (isWhole: boolean) => {
    const rows = board.rows(window.start, window.end);
    const texts = rows.map((row) => JSON.stringify(row));
    const { facets: _, ...rest } = board.frame;
    const frameText = JSON.stringify(rest);
    const hasNewFrame =
      isWhole || sent.frame === null || frameText !== sent.frameText || !sameFacets(sent.frame, board.frame);
    const changed = isWhole ? { start: window.start, rows } : changedRows(sent, { window, rows, texts });
    sent = { frame: board.frame, frameText, window, rowTexts: texts };
    if (!hasNewFrame && changed === null) return;
    listener({
      generation,
      ...(hasNewFrame ? { frame: board.frame } : {}),
      ...(changed === null || changed === undefined ? {} : { rows: changed }),
    });
  };

  send(true);
  return {
    setQuery(next) {
      query = next;
      generation += 1;
      board = boardOf(read(query.timeRange), query);
      send(true);
    },
    setWindow(next) {
      window = next;
      send(false);
    },
    refresh() {
      board = boardOf(read(query.timeRange), query);
      send(false);
    },
  };
}
