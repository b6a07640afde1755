/**
 * The compute worker behind its interface: one index, many queries. It reads the store and hears of
 * changes; it never writes and never talks to the network, so a question never waits for either.
 */
import type { ActionHandlers } from '../../src/contract/actions/action-definition.ts';
import type { ComputeActions, FoundCheck, FoundItem } from '../../src/contract/actions/compute-actions.ts';
import type { CatalogQuery } from '../../src/contract/catalog-view.ts';
import type { ReplicatedRow } from '../../src/contract/collections.ts';
import type { LiveQuestion } from '../../src/contract/live-query.ts';
import type { HealthQuery } from '../../src/contract/worker.ts';
import type { FirstWindowText } from '../../src/contract/first-window.ts';
import type { WrittenDocument } from '../../src/contract/written-document.ts';
import { healthWhenOverdue } from '../../src/domain/check/health.ts';
import { settle } from '../act.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { ComputeApi } from './api.ts';
import { CatalogViews } from './catalog/catalog-views.ts';
import { ComputeModel } from './compute-model.ts';
import { writeDocument } from './documents/write-document.ts';
import { findChecks, whenRead } from './find-checks.ts';
import { findItems, findRows } from './find-rows.ts';
import { firstWindow } from './first-window.ts';
import { LiveQueries } from './live/live-queries.ts';
import type { ComputePlatform } from './platform.ts';
import { LogBooks } from './logs/log-books.ts';
import { RelationsQueries } from './relations/relations-queries.ts';
import type { LiveContext } from './subscriptions/live-handler.ts';
import type { LiveHandlers } from './subscriptions/live-handlers.ts';
import { createThrottle } from './throttle.ts';
import { TopologyViews, type TimedChecks } from './topology/topology-views.ts';

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

export interface ComputeService extends Pick<ComputeApi, 'ask'> {
  attach(storeName: string | null): Promise<void>;
  detach(): Promise<void>;
  setClockOffset(offsetMs: number): Promise<void>;
  firstWindow(name: string, args: unknown): Promise<FirstWindowText | null>;
  findChecks(query: HealthQuery, group: string | null): Promise<FoundCheck[]>;
  findRows(question: LiveQuestion, fields: readonly string[]): ReplicatedRow[];
  findItems(query: CatalogQuery): FoundItem[];
  writeDocument(json: string, form: 'yaml' | 'json'): Promise<WrittenDocument>;
  logs: LogBooks;
}

/** How the compute worker does its actions: each is a function of the service. */
export function computeActions(service: ComputeService): ActionHandlers<ComputeActions> {
  const done = (run: Promise<void>) => settle(() => run.then(() => null));
  return {
    attach: ({ storeName }) => done(service.attach(storeName)),
    'set-clock-offset': ({ offsetMs }) => done(service.setClockOffset(offsetMs)),
    'first-window': ({ name, args }) => settle(() => service.firstWindow(name, args)),
    'find-checks': ({ query, group }) => settle(() => service.findChecks(query, group)),
    'find-rows': ({ question, fields }) => settle(async () => service.findRows(question, fields)),
    'find-items': ({ query }) => settle(async () => service.findItems(query)),
    'write-document': ({ json, form }) => settle(() => service.writeDocument(json, form)),
    'put-logs': (put) => settle(() => service.logs.put(put)),
    'drop-logs': ({ book }) => done(service.logs.drop(book)),
    'read-log-line': ({ query, seq }) => settle(async () => service.logs.line(query, seq)),
    'write-logs': ({ query, form }) => settle(async () => service.logs.write(query, form)),
    'pack-log-lines': ({ book, seqs }) => settle(async () => service.logs.pack(book, seqs)),
  };
}

/** Adds somebody who is called; answers how to leave. */
function joining(listeners: Set<() => void>): (listener: () => void) => () => void {
  return (listener) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
}

/** The checks as the topology counts them. */
function checksOf(model: ComputeModel, follow: LiveContext['onChecks']): TimedChecks {
  return {
    isLoaded: () => model.isLoaded(),
    stateOf: (id) => model.index.get(id)?.health.state,
    overdueStateOf(id) {
      const entry = model.index.get(id);
      return entry === null ? undefined : healthWhenOverdue(entry.check).state;
    },
    follow,
  };
}

/** Starts the worker's service; `attach` decides what it reads. */
export function createComputeService(outside: ComputePlatform, handlers: LiveHandlers): ComputeService {
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
  const relations = new RelationsQueries(platform, live);
  const onChecks = joining(refreshers);
  const topology = new TopologyViews(platform, live, checksOf(model, onChecks));
  const logs = new LogBooks(platform);
  let attached: string | null = null;
  const attach = (storeName: string | null) => {
    if (attached !== null && attached !== storeName) logs.forget();
    attached = storeName;
    model.attach(storeName);
    live.attach(storeName);
    relations.attach(storeName);
  };
  const context: LiveContext = { platform, model, live, catalog, relations, topology, logs, onChecks };

  const handlerOf = (name: string) => {
    const handler = handlers.get(name);
    if (handler === undefined) throw new AppError('invalid', `There is no query ${name}`, { field: 'name' });
    return handler;
  };

  return {
    attach: async (storeName) => attach(storeName),
    detach: async () => attach(null),
    setClockOffset: async (offsetMs) => model.setOffset(offsetMs),
    logs,
    async findChecks(query, group) {
      await whenRead({ isLoaded: () => model.isLoaded(), follow: onChecks }, platform);
      return findChecks(model.read(query.timeRange), query, group);
    },
    findRows: (question, fields) => findRows(live, question, fields),
    findItems: (query) => findItems(catalog, query),
    writeDocument: async (json, form) => writeDocument(json, form),
    firstWindow: async (name, args) =>
      firstWindow(context, () => attached, { handler: handlerOf(name), args }),
    async ask(name, args, listener) {
      const handler = handlerOf(name);
      // The handler of that name calls with what the registry says of the name.
      const opened = handler.open(context, args, listener as (message: unknown) => void);
      return {
        update: async (next, generation) => opened.update(next, generation),
        close: async () => opened.close(),
      };
    },
  };
}
