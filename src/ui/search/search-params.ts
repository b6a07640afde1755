/**
 * What an address may say after its question mark: each parameter as a codec between its text in the link and its
 * value on the page, a route's parameters as one schema. It knows no route and no page. Why it isn't zod says
 * docs/decisions/0017-search-params.md.
 * Invariants: what is formatted and parsed again is the same; a text that means nothing is as good as none, so no
 * address is an error; a value that the page hands back is taken as it is.
 */
import { parseTriState, writeTriState, type TriState } from '../../domain/tri-state.ts';

/** Longer texts in a link are cut: nobody typed them. */
const MAX_TEXT = 10_000;

/** One parameter; undefined where the link says nothing of it. */
export interface SearchParam<Value> {
  /** The value of a text, or a value that the page hands back. */
  parse: (found: unknown) => Value | undefined;
  /** Empty for a value that the link leaves out. */
  format(value: Value): string;
}

interface TextForm<Value> {
  /** Undefined for a text that means nothing. */
  parse: (text: string) => Value | undefined;
  format: (value: Value) => string;
  /** Whether something that is no text is a value. */
  isValue?: (found: unknown) => found is Value;
}

/** A parameter with a form of its own. */
export function param<Value>({ parse, format, isValue }: TextForm<Value>): SearchParam<Value> {
  return {
    parse: (found) => {
      if (typeof found === 'string') return parse(found.slice(0, MAX_TEXT));
      return isValue?.(found) === true ? found : undefined;
    },
    format,
  };
}

const asIs = (text: string): string => text;

/** Any text but the empty one. */
export const text = param<string>({ parse: (found) => found || undefined, format: asIs });

/** A text that a rule knows. */
export function known<Value extends string>(isKnown: (text: string) => text is Value): SearchParam<Value> {
  return param<Value>({ parse: (found) => (isKnown(found) ? found : undefined), format: asIs });
}

/** One of a few words, in any case. */
export function choice<const Value extends string>(values: readonly Value[]): SearchParam<Value> {
  return param<Value>({
    parse: (found) => values.find((value) => value.toLowerCase() === found.toLowerCase()),
    format: asIs,
  });
}

/** `true` or `false`. */
export const flag = param<boolean>({
  parse: (found) => (found === 'true' || found === 'false' ? found === 'true' : undefined),
  format: String,
  isValue: (found) => typeof found === 'boolean',
});

const isWhole = (found: unknown): found is number => Number.isSafeInteger(found) && Number(found) >= 0;

/** A whole number from 0. */
export const whole = param<number>({
  parse: (found) => (found !== '' && isWhole(Number(found)) ? Number(found) : undefined),
  format: String,
  isValue: isWhole,
});

/** Whether something is a filter already, rather than its text. */
export const isTriState = (found: unknown): found is TriState =>
  typeof found === 'object' &&
  found !== null &&
  Object.values(found).every((sign) => sign === 1 || sign === -1);

/** Values that are wanted or unwanted, as `write` writes them; without any the link says nothing. */
export function triStateAs(
  parse: (text: string) => TriState,
  write: (filter: TriState) => string,
): SearchParam<TriState> {
  return param<TriState>({
    parse: (found) => {
      const filter = parse(found);
      return Object.keys(filter).length === 0 ? undefined : filter;
    },
    format: (filter) => (Object.keys(filter).length === 0 ? '' : write(filter)),
    isValue: isTriState,
  });
}

/** `value:1,other:-1` (contract §19.1). */
export const triState = triStateAs(parseTriState, writeTriState);

/** A column and its direction. */
export const sortParams = { sortBy: text, sortOrder: choice(['asc', 'desc']) };

/** A page from 0, and how many rows it has. */
export const pageParams = { pageIndex: whole, pageSize: whole };

/** A stretch of time (src/domain/time/time-range.ts), which is read as a whole. */
export const rangeParams = {
  from: text,
  to: text,
  duration: text,
  timeRange: text,
  rangeType: text,
  display: text,
  range: text,
};

type Params = Readonly<Record<string, SearchParam<unknown>>>;
type Values<P extends Params> = {
  [Name in keyof P]?: P[Name] extends SearchParam<infer Value> ? Value | undefined : never;
};

/** All parameters of a route, or those that a part of its page reads; the router's `validateSearch` takes it. */
export interface SearchSchema<Search extends object> {
  /** What a link says; names that it doesn't know are left out. */
  parse: (search: object) => Search;
  /** Its own parameters as texts, others of the link as they are. */
  format: (search: object) => Record<string, string>;
}

/** What a link says, as the page reads it. */
export type SearchOf<Schema> = Schema extends SearchSchema<infer Search> ? Search : never;

/** The schema of a route's parameters. */
export function searchSchema<P extends Params>(params: P): SearchSchema<Values<P>> {
  const parse = (search: object) => {
    const found = new Map(Object.entries(search));
    const values = Object.entries(params).map(([name, one]) => [name, one.parse(found.get(name))] as const);
    // A name of the link that means nothing stays as undefined: the router takes its text out.
    return Object.fromEntries(values.filter(([name, value]) => value !== undefined || found.has(name)));
  };
  const format = (search: object) => {
    const texts = Object.entries({ ...search, ...parse(search) }).map(([name, value]) => {
      const own = Object.hasOwn(params, name) ? params[name] : undefined;
      return [
        name,
        own === undefined || value === undefined ? value : own.format(value) || undefined,
      ] as const;
    });
    return Object.fromEntries(texts.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
  };
  return { parse: parse as SearchSchema<Values<P>>['parse'], format };
}

interface Middleware<Search> {
  search: Search;
  next: (search: Search) => Search;
}

/** The options of a route whose search a schema describes: read by it, and written to the link by it. */
export function searchOptions<Search extends object>(schema: SearchSchema<Search>) {
  return {
    validateSearch: schema.parse,
    search: {
      middlewares: [
        // The router makes a query string of what comes out: of texts, whatever the page holds.
        <S extends object>({ search, next }: Middleware<S>) => schema.format(next(search)) as S,
      ],
    },
  };
}
