/**
 * This side of a query to the compute worker: a frame and a cache of rows around what is on screen.
 * Rows of an older answer stay until newer ones replace them, so scrolling never shows gaps twice; rows of an
 * older question are dropped when the new one is answered. It knows nothing of what is asked.
 */
import type { LiveSubscription } from '../../contract/queries/queries.ts';
import type { RowWindow } from '../../contract/worker.ts';
import { createLiveValue, type LiveValue } from './live-value.ts';

/** As many as one answer holds (contract MAX_WINDOW_ROWS). */
const WINDOW_ROWS = 100;
/** What is asked first, and cached for the next start. */
export const FIRST_WINDOW: RowWindow = { start: 0, end: WINDOW_ROWS };
const CACHE_ROWS = 5 * WINDOW_ROWS;
/** A new window is asked for when the screen comes this close to the edge of the present one. */
const EDGE_ROWS = 15;

interface Asked<Query> {
  query: Query;
  window: RowWindow;
}
type ViewSubscription<Query> = LiveSubscription<Asked<Query>>;
export interface ViewPatch<Frame, Row> {
  generation: number;
  frame?: Frame;
  rows?: { start: number; rows: Row[] };
}

/** Everything around the rows says at least this. */
export interface AnyFrame {
  /** False until the store was read. */
  isLoaded: boolean;
  rowCount: number;
}

/** The first rows of an answer that was cached, and what is around them. */
export interface CachedAnswer<Frame, Row> {
  frame: Frame;
  rows: readonly Row[];
}

/** Where first windows are cached for the next start. */
export interface ViewCache<Query, Frame, Row> {
  /** As it is at this moment; null when there is none. */
  read: (query: Query) => CachedAnswer<Frame, Row> | null;
  /** The worker has answered this; caches its answer before long. */
  note: (query: Query) => void;
  drop: () => void;
  /** Calls once, when what is shown from the cache is old. */
  whenOld: (run: () => void) => void;
}

/** What a kind of view needs besides its question. */
export interface ViewKind<Query, Frame extends AnyFrame, Row> {
  open: (
    asked: Asked<Query>,
    listener: (patch: ViewPatch<Frame, Row>) => void,
  ) => Promise<ViewSubscription<Query>>;
  report: (error: unknown) => void;
  cache: ViewCache<Query, Frame, Row>;
  /** Rows of a window, where fewer than usual are more than a screen of them; it grows with what is on screen. */
  windowRows?: number;
  /** Until the first answer. */
  emptyFrame: Frame;
  /** Parts that say the same stay the same objects, so that what only shows them isn't drawn again. */
  parts: readonly (keyof Frame)[];
  /** Its rows say less than they will: what was cached whole stays until they say all, or something else is asked. */
  isPartial?: (frame: Frame) => boolean;
}

export interface WindowViewState<Query, Frame, Row> {
  frame: Frame;
  /** Asks another question now, ahead of the component that will ask it when it is drawn. */
  ask: (query: Query) => void;
  /** Null while the row is on its way. */
  getRow: (index: number) => Row | null;
  /** Tells which rows are on screen: `start` inclusive, `end` exclusive. */
  setVisibleRange: (start: number, end: number) => void;
}

/** The rows, with those that say the same as one of before being that one: only what changed is drawn anew. */
function sameRows<Row>(before: ReadonlyMap<number, Row>, rows: readonly Row[]): Row[] {
  const known = new Map([...before.values()].map((row) => [JSON.stringify(row), row]));
  return rows.map((row) => known.get(JSON.stringify(row)) ?? row);
}

/** What a kind of view is asked for first, and has cached for the next start. */
export function firstWindowOf({ windowRows }: { windowRows?: number }): RowWindow {
  return windowRows === undefined ? FIRST_WINDOW : { start: 0, end: windowRows };
}

/** One for each list on the screen; close it with the list. */
export class WindowViewClient<Query, Frame extends AnyFrame, Row> {
  readonly state: LiveValue<WindowViewState<Query, Frame, Row>>;
  private readonly kind: ViewKind<Query, Frame, Row>;
  private readonly subscription: Promise<ViewSubscription<Query>>;
  private rows = new Map<number, Row>();
  private frame: Frame;
  private window: RowWindow;
  private query: Query;
  private queryText: string;
  /** How many questions were put, and which of them the rows answer. */
  private asked = 0;
  private answered = 0;
  /** What is shown: nothing, what was cached, or what the worker said. */
  private shown: 'nothing' | 'cached' | 'answer' = 'nothing';
  /** The question that what was cached answers. */
  private cachedText = '';
  /** What the worker said so far, where what was cached says more. */
  private held: { frame: Frame; rows: ReadonlyMap<number, Row> } | null = null;

  constructor(query: Query, kind: ViewKind<Query, Frame, Row>) {
    this.kind = kind;
    this.frame = kind.emptyFrame;
    this.window = firstWindowOf(kind);
    this.query = query;
    this.queryText = JSON.stringify(query);
    this.showCached();
    this.state = createLiveValue(this.snapshot());
    this.subscription = kind.open({ query, window: this.window }, (patch) => this.receive(patch));
    this.subscription.catch(kind.report);
  }

  /** Asks another question; the same one again costs nothing. */
  readonly setQuery = (query: Query): void => {
    const text = JSON.stringify(query);
    if (text === this.queryText) return;
    this.queryText = text;
    this.query = query;
    this.asked += 1;
    this.kind.cache.drop();
    this.held = null;
    if (this.shown !== 'answer' && this.showCached()) this.state.set(this.snapshot());
    this.update();
  };

  /** What was cached is of somebody else, or of nothing any more. */
  forgetCached(): void {
    if (this.shown !== 'cached') return;
    if (this.held !== null) return this.release(this.held);
    this.shown = 'nothing';
    this.rows = new Map();
    this.frame = this.kind.emptyFrame;
    this.state.set(this.snapshot());
  }

  /** There may be something to show where there was nothing, or only what answers another question. */
  lookAgain(): void {
    const isToShow =
      this.shown === 'nothing' || (this.shown === 'cached' && this.cachedText !== this.queryText);
    if (isToShow && this.showCached()) this.state.set(this.snapshot());
  }

  close(): void {
    this.shown = 'nothing';
    this.call((subscription) => subscription.close());
  }

  private readonly getRow = (index: number): Row | null => this.rows.get(index) ?? null;

  private readonly setVisibleRange = (start: number, end: number): void => {
    const { window } = this;
    const isNearTop = start < window.start + EDGE_ROWS && window.start > 0;
    const isNearBottom = end > window.end - EDGE_ROWS && window.end < this.frame.rowCount;
    if (!isNearTop && !isNearBottom) return;
    const { windowRows = WINDOW_ROWS } = this.kind;
    const size = Math.min(WINDOW_ROWS, Math.max(windowRows, end - start + 2 * EDGE_ROWS + 2));
    const middle = Math.floor((start + end) / 2);
    const first = Math.max(0, middle - Math.floor(size / 2));
    if (first === window.start && first + size <= window.end) return;
    this.window = { start: first, end: first + size };
    this.update();
  };

  private update(): void {
    const { query, window, asked } = this;
    this.call((subscription) => subscription.update({ query, window }, asked));
  }

  private call(use: (subscription: ViewSubscription<Query>) => Promise<void>): void {
    this.subscription.then(use).catch(this.kind.report);
  }

  private snapshot(): WindowViewState<Query, Frame, Row> {
    const { frame, setQuery: ask, getRow, setVisibleRange } = this;
    return { frame, ask, getRow, setVisibleRange };
  }

  private receive(patch: ViewPatch<Frame, Row>): void {
    // An answer to a question that was replaced meanwhile would flash.
    if (patch.generation < this.asked) return;
    const isCached = this.shown === 'cached';
    // The worker has not read the store yet. What differs from that answer is everything.
    if (isCached && this.held === null && patch.frame?.isLoaded !== true) return;
    const isOther = isCached || patch.generation > this.answered;
    const rows = new Map(this.held?.rows ?? (isOther ? [] : this.rows));
    for (const [at, row] of sameRows(this.rows, patch.rows?.rows ?? []).entries())
      rows.set((patch.rows?.start ?? 0) + at, row);
    this.answered = patch.generation;
    const answer = { frame: patch.frame ?? this.held?.frame ?? this.frame, rows };
    if (isCached && this.saysLess(answer.frame)) this.held = answer;
    else this.release(answer);
  }

  /** Whether what was cached of the present question says more of the rows that are looked at. */
  private saysLess(frame: Frame): boolean {
    const { isPartial } = this.kind;
    if (!frame.isLoaded || isPartial?.(frame) !== true || isPartial(this.frame)) return false;
    return this.window.start === 0 && this.cachedText === this.queryText;
  }

  /** Shows what the worker said. */
  private release({ frame, rows }: { frame: Frame; rows: ReadonlyMap<number, Row> }): void {
    this.held = null;
    this.frame = this.keepParts(frame);
    this.rows = new Map(rows);
    this.forget();
    this.shown = this.frame.isLoaded ? 'answer' : 'nothing';
    if (this.frame.isLoaded) this.kind.cache.note(this.query);
    this.state.set(this.snapshot());
  }

  /** Shows what was cached of the present question; false when there is nothing. */
  private showCached(): boolean {
    const found = this.kind.cache.read(this.query);
    if (found === null) return false;
    this.shown = 'cached';
    this.cachedText = this.queryText;
    this.frame = found.frame;
    this.rows = new Map(found.rows.entries());
    this.kind.cache.whenOld(() => {
      if (this.shown !== 'cached') return;
      if (this.held !== null) this.release(this.held);
      else if (this.showCached()) this.state.set(this.snapshot());
      else this.forgetCached();
    });
    return true;
  }

  private keepParts(next: Frame): Frame {
    const same = this.kind.parts.filter(
      (part) => JSON.stringify(this.frame[part]) === JSON.stringify(next[part]),
    );
    return { ...next, ...Object.fromEntries(same.map((part) => [part, this.frame[part]])) };
  }

  /** Drops rows beyond the end, and those farthest from the window when there are too many. */
  private forget(): void {
    for (const index of this.rows.keys()) {
      if (index >= this.frame.rowCount) this.rows.delete(index);
    }
    if (this.rows.size <= CACHE_ROWS) return;
    const middle = this.window.start + WINDOW_ROWS / 2;
    const farthestFirst = [...this.rows.keys()].toSorted(
      (a, b) => Math.abs(b - middle) - Math.abs(a - middle),
    );
    for (const index of farthestFirst.slice(0, this.rows.size - CACHE_ROWS)) this.rows.delete(index);
  }
}
