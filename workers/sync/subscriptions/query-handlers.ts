/** The handlers of all queries, by the names of their files. */
import { SYNC_QUERIES } from '../../../src/contract/queries/sync-queries.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { QueryHandler } from './query-handler.ts';

export type QueryHandlers = ReadonlyMap<string, QueryHandler>;

/** Takes the modules of a folder by path; a query without a file, or a file without a query, is a mistake. */
export function queryHandlers(modules: Readonly<Record<string, { query: QueryHandler }>>): QueryHandlers {
  const handlers = new Map<string, QueryHandler>();
  for (const [path, { query }] of Object.entries(modules))
    handlers.set(path.replace(/^.*\/|\.ts$/g, ''), query);
  for (const [name, definition] of Object.entries(SYNC_QUERIES))
    if (handlers.get(name)?.definition !== definition)
      throw new AppError('unknown', `workers/sync/queries/${name}.ts does not answer the query of its name`);
  return handlers;
}
