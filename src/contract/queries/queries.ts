/**
 * The types of the one protocol between the app and its workers: what may be asked, with what, and what is answered.
 * Types alone, so that the app gets no schema with them.
 */
import type { input, output } from 'zod/v4/core';
import type { ErrorFacts } from '../errors.ts';
import type { Cached } from '../worker.ts';
import type { CachedQuery, ValueQuery } from './query-definition.ts';
import type { LIVE_QUERIES } from './live-queries.ts';
import type { SYNC_QUERIES } from './sync-queries.ts';

type Queries = typeof SYNC_QUERIES & typeof LIVE_QUERIES;
export type SyncQueryName = keyof typeof SYNC_QUERIES;
export type LiveQueryName = keyof typeof LIVE_QUERIES;
export type QueryName = SyncQueryName | LiveQueryName;
/** Queries whose answers are cached on the device. */
export type CachedQueryName = {
  [Name in QueryName]: Queries[Name] extends { cacheKey: unknown } ? Name : never;
}[QueryName];

/** What a query is asked with, as the app writes it: ids are plain texts. */
export type QueryArgs<Name extends QueryName> = input<Queries[Name]['args']>;

/** What a query answers with. */
export type QueryResult<Name extends QueryName> =
  Queries[Name] extends CachedQuery<infer _Args, infer Result>
    ? output<Result>
    : Queries[Name] extends ValueQuery<infer _Args, infer Value>
      ? Value
      : never;

export type Answer<T> = { ok: true; value: T } | { ok: false; error: ErrorFacts };

/** What the listener of a query is called with. */
export type QueryMessage<Name extends QueryName> = Name extends CachedQueryName
  ? Answer<Cached<QueryResult<Name>>>
  : QueryResult<Name>;

/** A query that goes on until it is closed. */
export interface Subscription {
  close(): Promise<void>;
}

/** A live one can be asked something else; what answers that has its `generation`. */
export interface LiveSubscription<Args> extends Subscription {
  /** `generation` rises by one with each question; it stays when only the window of rows moves. */
  update(args: Args, generation: number): Promise<void>;
}
