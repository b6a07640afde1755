/**
 * This side of a standing question to the compute worker: a frame and a cache of rows around what is on screen.
 * Rows of an older answer stay until newer ones replace them, so scrolling never shows gaps twice; rows of an
 * older question are dropped when the new one is answered.
 */
import type { HealthFrame, HealthPatch, HealthQuery, HealthRow, RowWindow } from '../contract/worker.ts';
import { createLiveValue, type LiveValue } from './live-value.ts';

/** As many as one answer holds (contract MAX_WINDOW_ROWS). */
const WINDOW_ROWS = 100;
const CACHE_ROWS = 5 * WINDOW_ROWS;
/** A new window is asked for when the screen comes this close to the edge of the present one. */
const EDGE_ROWS = 15;

export const EMPTY_FRAME: HealthFrame = {
  isLoaded: false,
  rowCount: 0,
  checkCount: 0,
  counts: { healthy: 0, unhealthy: 0, warning: 0, unknown: 0 },
  shown: { healthy: 0, unhealthy: 0, warning: 0, unknown: 0 },
  hiddenPassing: 0,
  tabs: [],
  facets: [],
  pivotColumns: [],
  summaryRange: '1h',
};

const PARTS = ['facets', 'tabs', 'counts', 'shown', 'pivotColumns'] as const;

/** Parts that say the same stay the same objects, so that what only shows them isn't drawn again. */
function keepParts(known: HealthFrame, next: HealthFrame): HealthFrame {
  const same = PARTS.filter((part) => JSON.stringify(known[part]) === JSON.stringify(next[part]));
  return { ...next, ...Object.fromEntries(same.map((part) => [part, known[part]])) };
}

/** The worker's handle, as far as it is needed. */
export interface ViewHandle {
  setQuery(query: HealthQuery): Promise<void>;
  setWindow(window: RowWindow): Promise<void>;
  close(): Promise<void>;
}

export type OpenView = (
  query: HealthQuery,
  window: RowWindow,
  listener: (patch: HealthPatch) => void,
) => Promise<ViewHandle>;

export interface HealthViewState {
  frame: HealthFrame;
  /** Null while the row is on its way. */
  getRow: (index: number) => HealthRow | null;
  /** Tells which rows are on screen: `start` inclusive, `end` exclusive. */
  setVisibleRange: (start: number, end: number) => void;
}

export class HealthViewClient {
  readonly state: LiveValue<HealthViewState>;
  private readonly handle: Promise<ViewHandle>;
  private readonly report: (error: unknown) => void;
  private rows = new Map<number, HealthRow>();
  private frame = EMPTY_FRAME;
  private window: RowWindow = { start: 0, end: WINDOW_ROWS };
  private queryText: string;
  /** How many questions were put, and which of them the rows answer. */
  private asked = 0;
  private answered = 0;

  constructor(query: HealthQuery, open: OpenView, report: (error: unknown) => void) {
    this.queryText = JSON.stringify(query);
    this.report = report;
    this.state = createLiveValue(this.snapshot());
    this.handle = open(query, this.window, (patch) => this.receive(patch));
    this.handle.catch(report);
  }

  /** Asks another question; the same one again costs nothing. */
  setQuery(query: HealthQuery): void {
    const text = JSON.stringify(query);
    if (text === this.queryText) return;
    this.queryText = text;
    this.asked += 1;
    this.call((handle) => handle.setQuery(query));
  }

  close(): void {
    this.call((handle) => handle.close());
  }

  private readonly getRow = (index: number): HealthRow | null => this.rows.get(index) ?? null;

  private readonly setVisibleRange = (start: number, end: number): void => {
    const { window } = this;
    const isNearTop = start < window.start + EDGE_ROWS && window.start > 0;
    const isNearBottom = end > window.end - EDGE_ROWS && window.end < this.frame.rowCount;
    if (!isNearTop && !isNearBottom) return;
    const middle = Math.floor((start + end) / 2);
    const first = Math.max(0, middle - WINDOW_ROWS / 2);
    if (first === window.start) return;
    this.window = { start: first, end: first + WINDOW_ROWS };
    this.call((handle) => handle.setWindow(this.window));
  };

  private call(use: (handle: ViewHandle) => Promise<void>): void {
    this.handle.then(use).catch(this.report);
  }

  private snapshot(): HealthViewState {
    return { frame: this.frame, getRow: this.getRow, setVisibleRange: this.setVisibleRange };
  }

  private receive(patch: HealthPatch): void {
    // An answer to a question that was replaced meanwhile would flash.
    if (patch.generation < this.asked) return;
    if (patch.generation > this.answered) this.rows = new Map();
    this.answered = patch.generation;
    if (patch.frame !== undefined) this.frame = keepParts(this.frame, patch.frame);
    if (patch.rows !== undefined) {
      for (const [at, row] of patch.rows.rows.entries()) this.rows.set(patch.rows.start + at, row);
    }
    this.forget();
    this.state.set(this.snapshot());
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
