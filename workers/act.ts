/** Does a worker's actions by their names: arguments are parsed first, errors come back as plain facts. */
import type { Act, ActionHandlers, Actions } from '../src/contract/actions/action-definition.ts';
import { AppError, errorFacts, ERROR_TEXTS } from '../src/contract/errors.ts';
import { parseArgs } from '../src/contract/queries/parse-args.ts';
import type { Answer } from '../src/contract/queries/queries.ts';

/** Turns what a worker's function does into the answer that crosses threads. */
export async function settle<T>(run: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, error: errorFacts(error) };
  }
}

/** `act` of a worker's interface: it never rejects, a failure is `{ok: false, error}`. */
export function createAct<Definitions extends Actions>(
  definitions: Definitions,
  handlers: ActionHandlers<Definitions>,
): Act<Definitions> {
  return async (name, args) => {
    try {
      const definition = definitions[name];
      const handler = handlers[name];
      // A page of another version may ask for what isn't there.
      if (definition === undefined || handler === undefined)
        throw new AppError('invalid', ERROR_TEXTS.invalid, { field: name });
      // Parsed with the schema that the handler's type was taken from.
      return await handler(parseArgs(definition.args, args) as Parameters<typeof handler>[0]);
    } catch (error) {
      return { ok: false, error: errorFacts(error) };
    }
  };
}
