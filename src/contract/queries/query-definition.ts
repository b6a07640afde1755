/**
 * What a query between the app and its workers is: the schema of its arguments, what it answers with, and for answers
 * that are cached on the device under which key and what makes them old. It knows neither worker.
 */
import type { $ZodType, output } from 'zod/v4/core';
import type { CollectionName } from '../collections.ts';

/** What makes an answer old: changed rows of a collection, new runs of a check, something an administrator did. */
export type Dependency = CollectionName | 'actions' | { checkId: string };

/** Answered at once from the device's cache, then by the server, and again whenever the answer may be old. */
export interface CachedQuery<Args extends $ZodType, Result extends $ZodType> {
  args: Args;
  /** What came from the server or the cache is parsed with it; what it refuses is neither shown nor cached. */
  result: (args: output<Args>) => Result;
  /** Name of the document in the cache; null for what must not stay on a device, or is kept in another way. */
  cacheKey: (args: output<Args>) => string | null;
  /** Every answer is asked for again after an outage, and besides when one of these changed. */
  dependsOn: (args: output<Args>) => readonly Dependency[];
  /** After how long it is asked for again because of what it says, ms; null for not by the clock. */
  pollMs: (answer: output<Result>, args: output<Args>) => number | null;
}

/** Answered with the present value and again with each new one. The worker made it itself: it isn't parsed again. */
export interface ValueQuery<Args extends $ZodType, Value> {
  args: Args;
  /** There for its type alone. */
  value?: Value;
}

/** Answered with differences: each builds on the one before. What is asked can be replaced while it goes on. */
export interface DifferencesQuery<Args extends $ZodType, Patch> extends ValueQuery<Args, Patch> {
  isDifferences: true;
}

const KEEPS_NOTHING = () => null;
const NOTHING_ELSE = (): readonly Dependency[] => [];
const NEVER_AGAIN = () => null;

/** Defines a query whose answer comes from the server and is cached. */
export function cachedQuery<Args extends $ZodType, Result extends $ZodType>(definition: {
  args: Args;
  result: Result | ((args: output<Args>) => Result);
  cacheKey?: (args: output<Args>) => string | null;
  dependsOn?: (args: output<Args>) => readonly Dependency[];
  pollMs?: (answer: output<Result>, args: output<Args>) => number | null;
}): CachedQuery<Args, Result> {
  const {
    args,
    result,
    cacheKey = KEEPS_NOTHING,
    dependsOn = NOTHING_ELSE,
    pollMs = NEVER_AGAIN,
  } = definition;
  return { args, result: typeof result === 'function' ? result : () => result, cacheKey, dependsOn, pollMs };
}

/** Defines a query for a value that the worker has; its type is given, its arguments are parsed. */
export function valueQuery<Value>() {
  return <Args extends $ZodType>(args: Args): ValueQuery<Args, Value> => ({ args });
}

/** Defines a query that is answered with differences; their type is given, its arguments are parsed. */
export function differencesQuery<Patch>() {
  return <Args extends $ZodType>(args: Args): DifferencesQuery<Args, Patch> => ({
    args,
    isDifferences: true,
  });
}
