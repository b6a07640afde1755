/**
 * What the app may have a worker do besides asking and sending commands: done now or refused, never queued. Like a
 * query, an action has a schema of its arguments; its answer is made by the worker.
 */
import type { $ZodType, input, output } from 'zod/v4/core';
import type { Answer } from '../queries/queries.ts';

export interface Action<Args extends $ZodType, Result> {
  args: Args;
  /** There for its type alone. */
  result?: Result;
}
export type Actions = Readonly<Record<string, Action<$ZodType, unknown>>>;

/** Defines an action; the type of its result is given, its arguments are parsed. */
export function action<Result>() {
  return <Args extends $ZodType>(args: Args): Action<Args, Result> => ({ args });
}

/** What an action is asked with, as the app writes it. */
export type ActionArgs<Definition> = Definition extends Action<infer Args, unknown> ? input<Args> : never;
type ParsedArgs<Definition> = Definition extends Action<infer Args, unknown> ? output<Args> : never;
export type ActionResult<Definition> = Definition extends Action<$ZodType, infer Result> ? Result : never;

/** How a worker does each of its actions. */
export type ActionHandlers<Definitions extends Actions> = {
  [Name in keyof Definitions]: (
    args: ParsedArgs<Definitions[Name]>,
  ) => Promise<Answer<ActionResult<Definitions[Name]>>>;
};

/** Has a worker do something; whatever goes wrong is in the answer. */
export type Act<Definitions extends Actions> = <Name extends keyof Definitions & string>(
  name: Name,
  args: ActionArgs<Definitions[Name]>,
) => Promise<Answer<ActionResult<Definitions[Name]>>>;
