/**
 * The compute worker behind its door: one index, many standing questions. It reads the store and hears of
 * changes; it never writes and never talks to the network, so a question never waits for either.
 */
import type { ComputeApi } from './api.ts';
import { openChanges } from './changes/open-changes.ts';
import { CatalogViews } from './catalog/catalog-views.ts';
import { ComputeModel } from './compute-model.ts';
import { createHealthView } from './health-view.ts';
import { writeDocument } from './documents/write-document.ts';
import { openUnread } from './inbox/unread-view.ts';
import { LiveQueries } from './live/live-queries.ts';
import { parseHealthQuery } from './parse-question.ts';
import type { ComputePlatform } from './platform.ts';
import { parseWindow, text } from './question-fields.ts';
import { RelationsQueries } from './relations/relations-queries.ts';
import { createThrottle } from './throttle.ts';
import { transitionsOf } from './transitions.ts';

/** Views hear of changes at most twenty times a second: more is not seen, and costs the UI its frames. */
const REFRESH_GAP_MS = 50;

/** One channel for all that listen: each of its own would copy every message once more. */
function shareListening(platform: ComputePlatform): ComputePlatform {
  const listeners = new Set<(message: unknown) => void>();
  platform.listen((message) => {
    for (const listener of listeners) listener(message);
  });
  return {
    ...platform,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
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

/** The questions over what is held in memory for as long as somebody asks. */
function standingDoors(parts: {
  platform: ComputePlatform;
  live: LiveQueries;
  model: ComputeModel;
  catalog: CatalogViews;
  relations: RelationsQueries;
}) {
  const { platform, live, model, catalog, relations } = parts;
  const nowMs = () => model.nowMs();
  return {
    openLiveQuery: async (question, listener) => live.open(question, listener),
    openCatalogView: async (query, window, listener) => catalog.openCatalog(query, window, listener),
    openInsightView: async (query, window, listener) => catalog.openInsights(query, window, listener),
    openRelations: async (question, listener) => relations.open(question, listener),
    openChanges: async (question, listener) => openChanges({ live, nowMs, asked: question, listener }),
    subscribeUnread: async (userId, listener) =>
      openUnread({ platform, live, nowMs, userId: text(userId, 'userId'), listener }),
    writeDocument: async (json, form) => writeDocument(json, form),
  } satisfies Partial<ComputeApi>;
}

/** Starts the worker's service; `attach` decides what it reads. */
export function createComputeService(outside: ComputePlatform): ComputeApi {
  const platform = shareListening(outside);
  const refreshers = new Set<() => void>();
  const model = new ComputeModel(
    platform,
    createThrottle(platform, REFRESH_GAP_MS, () => {
      for (const refresh of refreshers) refresh();
    }),
  );
  const live: LiveQueries = new LiveQueries(
    platform,
    createThrottle(platform, REFRESH_GAP_MS, () => live.refresh()),
  );
  const catalog = new CatalogViews({ platform, live, nowMs: () => model.nowMs() });
  const relations = new RelationsQueries(platform);
  const attach = (storeName: string | null) => {
    model.attach(storeName);
    live.attach(storeName);
    relations.attach(storeName);
  };
  const watch = <T>(read: () => T, listener: (value: T) => void) => {
    const refresh = createWatch(read, listener);
    refreshers.add(refresh);
    return Promise.resolve(() => {
      refreshers.delete(refresh);
    });
  };

  return {
    attach: async (storeName) => attach(storeName),
    detach: async () => attach(null),
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
    ...standingDoors({ platform, live, model, catalog, relations }),
  };
}
