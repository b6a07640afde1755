/**
 * The compute worker behind its door: one index, many standing questions. It reads the store and hears of
 * changes; it never writes and never talks to the network, so a question never waits for either.
 */
import type { StoreChange } from '../../src/contract/worker.ts';
import type { Check } from '../../src/domain/check/check.ts';
import { isTimeRange, type TimeRange } from '../../src/domain/time/ranges.ts';
import type { KeptDocument } from '../store/store-facts.ts';
import type { ComputeApi } from './api.ts';
import { createCheckIndex } from './check-index.ts';
import { createHealthView } from './health-view.ts';
import { parseHealthQuery, parseWindow } from './parse-question.ts';
import type { ComputePlatform } from './platform.ts';
import { overlayOf, readChecks, readSummary, type StoreSnapshot } from './read-store.ts';
import { createStoreFollower } from './store-follower.ts';
import { createSummaryOverlays } from './summary-overlays.ts';
import { transitionsOf } from './transitions.ts';

/** Views hear of changes at most twenty times a second: more is not seen, and costs the UI its frames. */
const REFRESH_GAP_MS = 50;
/** Checks become overdue by the passing of time alone. */
const TICK_MS = 10_000;
const SUMMARY_PREFIX = 'summary:';

/** Runs a callback at once when the last run is long enough ago, else once after the rest of the gap. */
function createThrottle(platform: ComputePlatform, gapMs: number, run: () => void): () => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  const fire = () => {
    isWaiting = false;
    lastMs = platform.now();
    run();
  };
  return () => {
    if (isWaiting) return;
    const waitMs = lastMs + gapMs - platform.now();
    if (waitMs <= 0) {
      fire();
      return;
    }
    isWaiting = true;
    platform.later(waitMs, fire);
  };
}

/** The rows and summaries of the store that is attached, kept up to date. */
function createModel(platform: ComputePlatform, onChange: () => void) {
  const index = createCheckIndex();
  const overlays = createSummaryOverlays(index);
  let attached: string | null = null;
  let offsetMs = 0;
  let isLoaded = false;
  const nowMs = () => platform.now() + offsetMs;

  const fetchSummary = (range: TimeRange) => {
    const storeName = attached;
    if (storeName === null || overlays.has(range)) return;
    readSummary(platform.idb, storeName, range).then(
      (overlay) => {
        if (overlay === null || storeName !== attached) return;
        overlays.set(range, overlay);
        onChange();
      },
      (error: unknown) => platform.report(error),
    );
  };

  const applyDocuments = (documents: readonly unknown[]) => {
    for (const document of documents as KeptDocument[]) {
      const range = document.id.slice(SUMMARY_PREFIX.length);
      if (document.id.startsWith(SUMMARY_PREFIX) && isTimeRange(range))
        overlays.set(range, overlayOf(document));
    }
    onChange();
  };

  const follower = createStoreFollower<StoreSnapshot>({
    listen: (listener) => platform.listen(listener),
    later: (delayMs, callback) => platform.later(delayMs, callback),
    target: {
      load: (storeName) => readChecks(platform.idb, storeName),
      onLoaded({ isWhole, checks }) {
        index.replaceAll(checks, nowMs());
        isLoaded = isWhole;
        onChange();
      },
      onChange(change: StoreChange) {
        if (change.collection === 'documents') applyDocuments(change.upserts);
        if (change.collection !== 'checks') return;
        index.apply({ upserts: change.upserts as Check[], deletedIds: change.deletedIds }, nowMs());
        onChange();
      },
      onFailure: (error) => platform.report(error),
    },
  });

  const retime = () => {
    if (index.reevaluate(nowMs())) onChange();
  };
  platform.every(TICK_MS, retime);

  return {
    index,
    nowMs,
    attach(storeName: string | null) {
      if (storeName === attached) return;
      attached = storeName;
      isLoaded = false;
      overlays.clear();
      index.replaceAll([], nowMs());
      follower.follow(storeName);
      onChange();
    },
    setOffset(nextMs: number) {
      offsetMs = nextMs;
      retime();
    },
    read(range: TimeRange) {
      fetchSummary(range);
      return { isLoaded, facets: index.facets(), ...overlays.entriesFor(range) };
    },
  };
}

/** Sends a value at once and again whenever it differs from what was sent. */
function createWatch<T>(read: () => T, listener: (value: T) => void): () => void {
  let sent: string | null = null;
  const refresh = () => {
    const value = read();
    const text = JSON.stringify(value);
    if (text === sent) return;
    sent = text;
    listener(value);
  };
  refresh();
  return refresh;
}

/** Starts the worker's service; `attach` decides what it reads. */
export function createComputeService(platform: ComputePlatform): ComputeApi {
  const refreshers = new Set<() => void>();
  const model = createModel(
    platform,
    createThrottle(platform, REFRESH_GAP_MS, () => {
      for (const refresh of refreshers) refresh();
    }),
  );
  const watch = <T>(read: () => T, listener: (value: T) => void) => {
    const refresh = createWatch(read, listener);
    refreshers.add(refresh);
    return Promise.resolve(() => {
      refreshers.delete(refresh);
    });
  };

  return {
    attach: async (storeName) => model.attach(storeName),
    detach: async () => model.attach(null),
    setClockOffset: async (offsetMs) => model.setOffset(offsetMs),
    async openHealthView(query, window, listener) {
      const view = createHealthView({
        query: parseHealthQuery(query),
        window: parseWindow(window),
        read: (range) => model.read(range),
        listener,
      });
      const refresh = () => view.refresh();
      refreshers.add(refresh);
      return {
        setQuery: async (next) => view.setQuery(parseHealthQuery(next)),
        setWindow: async (next) => view.setWindow(parseWindow(next)),
        close: async () => {
          refreshers.delete(refresh);
        },
      };
    },
    subscribeCheck: (checkId, listener) =>
      watch(() => {
        const entry = model.index.get(checkId);
        return entry === null ? null : { check: entry.check, health: entry.health };
      }, listener),
    subscribeTransitions: ({ sinceMs, limit }, listener) =>
      watch(() => transitionsOf(model.index.entries(), { sinceMs, limit, nowMs: model.nowMs() }), listener),
  };
}
