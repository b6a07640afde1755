/** The handlers of all queries of the sync worker, by the names of their files. */
import { SYNC_QUERIES } from '../../../src/contract/queries/sync-queries.ts';
import { handlersByName } from '../../query-files.ts';
import type { QueryHandler } from './query-handler.ts';

export type QueryHandlers = ReadonlyMap<string, QueryHandler>;

/** Takes the modules of workers/sync/queries by path. */
export function queryHandlers(modules: Readonly<Record<string, { query: QueryHandler }>>): QueryHandlers {
  return handlersByName(modules, SYNC_QUERIES);
}
