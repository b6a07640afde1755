/**
 * How the sync worker answers a query: workers/sync/queries/<name>.ts exports a handler as `query`. The arguments are
 * parsed here, before the handler sees them.
 */
import type { $ZodType, output } from 'zod/v4/core';
import { parseArgs } from '../../../src/contract/queries/parse-args.ts';
import type { CachedQuery, ValueQuery } from '../../../src/contract/queries/query-definition.ts';
import type { Cached } from '../../../src/contract/worker.ts';
import type { Stop } from '../api.ts';
import type { DataApi } from '../network/data-api.ts';
import type { HttpClient } from '../network/http-client.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { StatusesKeeper } from '../pull/statuses-keeper.ts';
import type { CatchUpRecorder } from '../store/catch-up-recorder.ts';
import type { Drafts } from '../store/drafts.ts';
import { cachedSource, type SourceParts } from './cached-source.ts';
import type { CachedSubscriptions } from './cached-subscriptions.ts';

/** What handlers of cached queries may use. */
export interface QueryContext extends SourceParts {
  api: DataApi;
  http: HttpClient;
  statuses: StatusesKeeper;
  /** When everything on this device was last known to be complete. */
  asOfMs: () => number | null;
}

/** Whose data a query is about. */
export interface QueryUser {
  context: QueryContext;
  subscriptions: CachedSubscriptions;
  outbox: Outbox;
  drafts: Drafts;
  catchUp: CatchUpRecorder;
}

export interface QueryHandler {
  /** Its entry in the registry. */
  definition: object;
  /** Parses the arguments; bad ones are refused by the name of the field. */
  bind: (args: unknown) => (user: QueryUser, listener: (message: unknown) => void) => Stop;
}

interface CachedHandler<Args, Result> {
  /** Asks the server; the answer is parsed with the query's schema. */
  fetch: (context: QueryContext, args: Args, signal: AbortSignal) => Promise<unknown>;
  /** Instead of the cache, where rows of the device say more. */
  fromDevice?: (
    context: QueryContext,
    args: Args,
    fromCache: () => Promise<Cached<Result> | null>,
  ) => Promise<Cached<Result> | null>;
}

/** Answers a cached query. */
export function handleCached<Args extends $ZodType, Result extends $ZodType>(
  definition: CachedQuery<Args, Result>,
  { fetch, fromDevice }: CachedHandler<output<Args>, output<Result>>,
): QueryHandler {
  return {
    definition,
    bind(asked) {
      const args = parseArgs(definition.args, asked);
      const dependsOn = definition.dependsOn(args);
      return ({ context, subscriptions }, listener) => {
        const source = cachedSource(context, {
          cacheKey: definition.cacheKey(args),
          result: definition.result(args),
          fetch: (signal) => fetch(context, args, signal),
        });
        const fromCache =
          fromDevice === undefined ? source.fromCache : () => fromDevice(context, args, source.fromCache);
        const { pollMs } = definition;
        // The source has parsed what is handed on.
        const pollAfter = pollMs as (value: unknown, asked: output<Args>) => number | null;
        const followed = { ...source, fromCache, pollMs: (value: unknown) => pollAfter(value, args) };
        return subscriptions.subscribe({ source: followed, dependsOn }, listener);
      };
    },
  };
}

/** Answers a query for a value that the worker has of the user. */
export function handleValue<Args extends $ZodType, Value>(
  definition: ValueQuery<Args, Value>,
  subscribe: (user: QueryUser, args: output<Args>, listener: (value: Value) => void) => Stop,
): QueryHandler {
  return {
    definition,
    bind(asked) {
      const args = parseArgs(definition.args, asked);
      return (user, listener) => subscribe(user, args, listener);
    },
  };
}
