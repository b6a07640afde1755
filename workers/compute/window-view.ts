/**
 * A query whose answer is a frame and a window of rows: remembers what was sent and sends only what
 * differs. A new question or window is answered before the call returns, so that typing never waits for anything
 * else. It knows nothing of what is asked.
 */
import type { RowWindow } from '../../src/contract/worker.ts';

/** An answer; rows are built only for the window that is asked for. */
export interface WindowBoard<Frame, Row> {
  frame: Frame;
  rows(start: number, end: number): Row[];
}

export interface WindowPatch<Frame, Row> {
  generation: number;
  frame?: Frame;
  rows?: { start: number; rows: Row[] };
}

export interface WindowView<Query> {
  setQuery(query: Query): void;
  setWindow(window: RowWindow): void;
  /** The data may have changed: sends the difference, if there is one. */
  refresh(): void;
}

interface Sent<Frame> {
  frame: Frame | null;
  window: RowWindow;
  rowTexts: string[];
}

/** The shortest run of rows that brings the other side up to date; null when it is. */
function changedRows<Frame, Row>(
  sent: Sent<Frame>,
  now: { window: RowWindow; rows: readonly Row[]; texts: readonly string[] },
): { start: number; rows: Row[] } | null {
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
export function createWindowView<Query, Frame, Row>(options: {
  query: Query;
  window: RowWindow;
  answer: (query: Query) => WindowBoard<Frame, Row>;
  isSameFrame: (a: Frame, b: Frame) => boolean;
  listener: (patch: WindowPatch<Frame, Row>) => void;
}): WindowView<Query> {
  const { answer, isSameFrame, listener } = options;
  let { query, window } = options;
  let generation = 0;
  let sent: Sent<Frame> = { frame: null, window: { start: 0, end: 0 }, rowTexts: [] };
  let board = answer(query);

  const send = (isWhole: boolean) => {
    const { frame } = board;
    const rows = board.rows(window.start, window.end);
    const texts = rows.map((row) => JSON.stringify(row));
    const hasNewFrame = isWhole || sent.frame === null || !isSameFrame(sent.frame, frame);
    const changed = isWhole ? { start: window.start, rows } : changedRows(sent, { window, rows, texts });
    sent = { frame, window, rowTexts: texts };
    if (!hasNewFrame && changed === null) return;
    listener({
      generation,
      ...(hasNewFrame ? { frame } : {}),
      ...(changed === null ? {} : { rows: changed }),
    });
  };
  send(true);

  return {
    setQuery(next) {
      query = next;
      generation += 1;
      board = answer(query);
      send(true);
    },
    setWindow(next) {
      window = next;
      send(false);
    },
    refresh() {
      board = answer(query);
      send(false);
    },
  };
}
