/** The handlers of all live queries, by the names of their files. */
import { LIVE_QUERIES } from '../../../src/contract/queries/live-queries.ts';
import { handlersByName } from '../../query-files.ts';
import type { LiveHandler } from './live-handler.ts';

export type LiveHandlers = ReadonlyMap<string, LiveHandler>;

/** Takes the modules of workers/compute/queries by path. */
export function liveHandlers(modules: Readonly<Record<string, { query: LiveHandler }>>): LiveHandlers {
  return handlersByName(modules, LIVE_QUERIES);
}
