/** For tests: the handlers of the compute worker's queries, found by their files as the worker itself finds them. */
import { readdirSync } from 'node:fs';
import type { LiveHandler } from '../../workers/compute/subscriptions/live-handler.ts';
import { liveHandlers } from '../../workers/compute/subscriptions/live-handlers.ts';

const files = readdirSync(new URL('../../workers/compute/queries/', import.meta.url));
const names = files.filter((file) => !file.endsWith('.test.ts')).map((file) => file.replace(/\.ts$/, ''));
const modules = await Promise.all(
  names.map(async (name) => {
    const module = (await import(`../../workers/compute/queries/${name}.ts`)) as { query: LiveHandler };
    return [`${name}.ts`, module] as const;
  }),
);

export const LIVE_HANDLERS = liveHandlers(Object.fromEntries(modules));
