/** Joins a worker's registry of queries with the files that answer them. */
import { AppError } from '../src/contract/errors.ts';

/** Handlers by name; a query without a file of its name is a mistake that shows before anything starts. */
export function handlersByName<Handler extends { definition: object }>(
  modules: Readonly<Record<string, { query: Handler }>>,
  registry: Readonly<Record<string, object>>,
): ReadonlyMap<string, Handler> {
  const handlers = new Map(
    Object.entries(modules).map(([path, { query }]) => [path.replace(/^.*\/|\.ts$/g, ''), query]),
  );
  for (const [name, definition] of Object.entries(registry))
    if (handlers.get(name)?.definition !== definition)
      throw new AppError('unknown', `queries/${name}.ts does not answer the query of its name`);
  return handlers;
}
