/** Functions over HTTP: which overload is meant, which parts of the query are its arguments. */
import { DataApiError, clip } from '../parse/api-error.ts';
import type { ApiFunction, Catalogue } from '../catalogue/catalogue.ts';
import { closestName } from '../parse/closest-name.ts';
import { hasOperator } from '../parse/parse-condition.ts';
import type { QueryPart } from '../parse/query-string.ts';
import type { CallValues } from '../sql/rpc-query.ts';
import { parseJsonBody } from '../parse/write-body.ts';

export interface FunctionCall {
  called: ApiFunction;
  values: CallValues;
  /** Parts of the query that are not arguments. */
  rest: QueryPart[];
}

interface Wanted {
  catalogue: Catalogue;
  name: string;
}

const RESERVED = /^(?:select|columns|on_conflict|(?:.*\.)?(?:order|limit|offset|and|or))$/;

function noSuchFunction(
  { catalogue, name }: Wanted,
  given: readonly string[],
  takesJson: boolean,
): DataApiError {
  const called = `${catalogue.schema}.${clip(name)}`;
  const names = given.map(clip).join(', ');
  const parameters = given.length === 0 ? ' without parameters' : `(${names})`;
  const searched =
    given.length === 0 ? ' without parameters' : ` with parameter${given.length > 1 ? 's' : ''} ${names}`;
  const whole = takesJson ? ' or with a single unnamed json/jsonb parameter' : '';
  return new DataApiError(404, {
    code: 'PGRST202',
    message: `Could not find the function ${called}${parameters} in the schema cache`,
    details: `Searched for the function ${called}${searched}${whole}, but no matches were found in the schema cache.`,
    hint: suggestion({ catalogue, name }),
  });
}

function suggestion({ catalogue, name }: Wanted): string | null {
  if (!catalogue.isOpen) return null;
  const overloads = catalogue.functions.get(name) ?? [];
  const [only] = overloads;
  if (only !== undefined) {
    const args = only.args.map((arg) => arg.name).toSorted();
    return `Perhaps you meant to call the function ${catalogue.schema}.${name}(${args.join(', ')})`;
  }
  const closest = closestName(name, [...catalogue.functions.keys()]);
  return closest === null ? null : `Perhaps you meant to call the function ${catalogue.schema}.${closest}`;
}

function ambiguous(overloads: readonly ApiFunction[]): DataApiError {
  const described = overloads.map(
    (candidate) =>
      `${candidate.schema}.${candidate.name}(${candidate.args.map((arg) => `${arg.name} => ${arg.type}`).join(', ')})`,
  );
  return new DataApiError(300, {
    code: 'PGRST203',
    message: `Could not choose the best candidate function between: ${described.join(', ')}`,
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  });
}

/** The overload of which every given name is an argument and every needed argument given. */
function choose(wanted: Wanted, given: readonly string[]): ApiFunction | null {
  const fitting = (wanted.catalogue.functions.get(wanted.name) ?? []).filter(
    (candidate) =>
      !candidate.takesWholeBody &&
      given.every((name) => candidate.args.some((arg) => arg.name === name)) &&
      candidate.args.every((arg) => arg.isOptional || given.includes(arg.name)),
  );
  if (fitting.length > 1) throw ambiguous(fitting);
  return fitting[0] ?? null;
}

/** Texts by argument; of one given more often, the first, but all of a variadic one. */
function textsOf(called: ApiFunction, parts: readonly QueryPart[]): CallValues {
  const texts = called.args.flatMap((arg): [string, string | readonly string[]][] => {
    const given = parts.filter((part) => part.name === arg.name).map((part) => part.value);
    const [first] = given;
    if (first === undefined) return [];
    return [[arg.name, arg.isVariadic && !first.startsWith('{') ? given : first]];
  });
  return { kind: 'texts', texts: new Map(texts) };
}

const distinctNames = (parts: readonly QueryPart[]) => [...new Set(parts.map((part) => part.name))];

/**
 * A call by GET. Parts with an operator filter the result, all others are arguments; a value that merely looks
 * like a filter is an argument where no function can be called without it.
 */
export function readGetCall(wanted: Wanted, parts: readonly QueryPart[]): FunctionCall {
  const free = parts.filter((part) => !RESERVED.test(part.name) && !part.name.includes('.'));
  const plain = free.filter((part) => !hasOperator(part.value));
  const overloads = wanted.catalogue.functions.get(wanted.name) ?? [];
  const isArgument = (part: QueryPart) =>
    overloads.some((candidate) => candidate.args.some((arg) => arg.name === part.name));
  const attempts = [plain, free.filter((part) => plain.includes(part) || isArgument(part))];
  for (const args of attempts) {
    const called = choose(wanted, distinctNames(args));
    if (called !== null) {
      return { called, values: textsOf(called, args), rest: parts.filter((part) => !args.includes(part)) };
    }
  }
  throw noSuchFunction(wanted, distinctNames(plain), false);
}

/** A call by POST: the body holds the arguments, or is the only one. */
export function readPostCall(
  wanted: Wanted,
  { parts, body }: { parts: readonly QueryPart[]; body: string | undefined },
): FunctionCall {
  const json = body === undefined || body.trim() === '' ? '{}' : body;
  const parsed = parseJsonBody(json);
  const rest = [...parts];
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  const names = isObject ? Object.keys(parsed) : [];
  const called = isObject ? choose(wanted, names) : null;
  if (called !== null) return { called, values: { kind: 'object', names: new Set(names), json }, rest };
  const whole = (wanted.catalogue.functions.get(wanted.name) ?? []).filter(
    (candidate) => candidate.takesWholeBody,
  );
  const [taker, second] = whole;
  if (second !== undefined) throw ambiguous(whole);
  if (taker === undefined) throw noSuchFunction(wanted, names, true);
  return { called: taker, values: { kind: 'whole', json }, rest };
}
