/**
 * How the compute worker answers a query: workers/compute/queries/<name>.ts exports a handler as `query`. The arguments
 * are parsed here, before the handler sees them.
 */
import type { $ZodType, output } from 'zod/v4/core';
import { parseArgs } from '../../../src/contract/queries/parse-args.ts';
import type { DifferencesQuery, ValueQuery } from '../../../src/contract/queries/query-definition.ts';
import type { RowWindow } from '../../../src/contract/worker.ts';
import type { CatalogViews } from '../catalog/catalog-views.ts';
import type { ComputeModel } from '../compute-model.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import type { ComputePlatform } from '../platform.ts';
import type { LogBooks } from '../logs/log-books.ts';
import type { RelationsQueries } from '../relations/relations-queries.ts';
import type { TopologyViews } from '../topology/topology-views.ts';
import type { WindowView } from '../window-view.ts';

/** What handlers may use. */
export interface LiveContext {
  platform: ComputePlatform;
  model: ComputeModel;
  live: LiveQueries;
  catalog: CatalogViews;
  relations: RelationsQueries;
  topology: TopologyViews;
  logs: LogBooks;
  /** Calls when the checks in memory may say something else; returns how to stop. */
  onChecks: (refresh: () => void) => () => void;
}

/** An open query. */
export interface OpenQuery<Args> {
  /** Another question, or the same one (`isSame`) about another window of rows. */
  update: (args: Args, isSame: boolean) => void;
  close: () => void;
}

export interface LiveHandler {
  /** Its entry in the registry. */
  definition: object;
  /** Bad arguments are refused by the name of the field, at the start and in `update`. */
  open: (
    context: LiveContext,
    args: unknown,
    listener: (message: unknown) => void,
  ) => { update: (args: unknown, generation: number) => void; close: () => void };
}

/** Answers a query with differences, each with the number that the asker gave its question. */
export function handleDifferences<Args extends $ZodType, Patch extends { generation: number }>(
  definition: DifferencesQuery<Args, Patch>,
  open: (
    context: LiveContext,
    args: output<Args>,
    listener: (patch: Patch) => void,
  ) => OpenQuery<output<Args>>,
): LiveHandler {
  return {
    definition,
    open(context, asked, listener) {
      // Queries count the questions that they were asked; one that is refused here never reaches them.
      const numbers = [0];
      const { update, close } = open(context, parseArgs(definition.args, asked), (patch) =>
        listener({ ...patch, generation: numbers[patch.generation] ?? patch.generation }),
      );
      return {
        update(next, generation) {
          const args = parseArgs(definition.args, next);
          const isSame = generation === numbers.at(-1);
          if (!isSame) numbers.push(generation);
          update(args, isSame);
        },
        close,
      };
    },
  };
}

/** Answers a query for a value; returns how to stop. */
export function handleValue<Args extends $ZodType, Value>(
  definition: ValueQuery<Args, Value>,
  subscribe: (context: LiveContext, args: output<Args>, listener: (value: Value) => void) => () => void,
): LiveHandler {
  return {
    definition,
    open(context, asked, listener) {
      let stop = subscribe(context, parseArgs(definition.args, asked), listener);
      return {
        update(next) {
          const args = parseArgs(definition.args, next);
          stop();
          stop = subscribe(context, args, listener);
        },
        close: () => stop(),
      };
    },
  };
}

/** A view with a window as an open query: the window stays when something else is asked. */
export function updatesOf<Query>(view: WindowView<Query>) {
  return ({ query, window }: { query: Query; window: RowWindow }, isSame: boolean) => {
    if (isSame) view.setWindow(window);
    else view.setQuery(query);
  };
}
