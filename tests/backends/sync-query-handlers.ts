/** For tests: the handlers of the sync worker's queries, found by their files as the worker itself finds them. */
import { readdirSync } from 'node:fs';
import type { QueryHandler } from '../../workers/sync/subscriptions/query-handler.ts';
import { queryHandlers } from '../../workers/sync/subscriptions/query-handlers.ts';

const files = readdirSync(new URL('../../workers/sync/queries/', import.meta.url));
const names = files.filter((file) => !file.endsWith('.test.ts')).map((file) => file.replace(/\.ts$/, ''));
const modules = await Promise.all(
  names.map(async (name) => {
    const module = (await import(`../../workers/sync/queries/${name}.ts`)) as { query: QueryHandler };
    return [`${name}.ts`, module] as const;
  }),
);

export const SYNC_HANDLERS = queryHandlers(Object.fromEntries(modules));
