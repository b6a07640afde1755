/** For tests: the handlers of the sync worker's queries, found by their files as the worker itself finds them. */
import { readdirSync } from 'node:fs';
import type { QueryHandler } from '../../workers/sync/subscriptions/query-handler.ts';
import { queryHandlers } from '../../workers/sync/subscriptions/query-handlers.ts';

const folder = new URL('../../workers/sync/queries/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const names = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
const modules = await Promise.all(
  names.map(async (name) => {
    const module = (await import(/* @vite-ignore */ new URL(name, folder).href)) as { query: QueryHandler };
    return [name, module] as const;
  }),
);

export const SYNC_HANDLERS = queryHandlers(Object.fromEntries(modules));
