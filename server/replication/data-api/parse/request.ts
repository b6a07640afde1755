/** A data API request as parsed, before the catalogue has been asked whether its names exist. */
/** Operators that may be followed by `(any)` or `(all)` and a list in braces. */
export const LISTABLE_OPERATORS = [
  'eq',
  'gte',
  'gt',
  'lte',
  'lt',
  'like',
  'ilike',
  'match',
  'imatch',
] as const;
/** Full-text search: plain query, words, phrase, as in web search. */
export const SEARCH_OPERATORS = ['fts', 'plfts', 'phfts', 'wfts'] as const;
export const OTHER_OPERATORS = [
  'neq',
  'in',
  'isdistinct',
  'is',
  'cs',
  'cd',
  'ov',
  'sl',
  'sr',
  'nxr',
  'nxl',
  'adj',
] as const;

export type SearchOperator = (typeof SEARCH_OPERATORS)[number];
export type Operator =
  | (typeof LISTABLE_OPERATORS)[number]
  | SearchOperator
  | (typeof OTHER_OPERATORS)[number];

/** A column, or what lies at a path inside its JSON. */
export interface Field {
  column: string;
  arrows: readonly Arrow[];
}

export interface Arrow {
  /** `->>` */
  asText: boolean;
  key: string;
}

export interface Comparison {
  kind: 'comparison';
  field: Field;
  negated: boolean;
  operator: Operator;
  /** Of a listable operator: the value is a list in braces, of which any or all must match. */
  quantifier: 'any' | 'all' | null;
  /** Of a search: the text search configuration. */
  language: string | null;
  /** As sent; of `in` the list's items. */
  values: readonly string[];
}

export interface Group {
  kind: 'and' | 'or';
  negated: boolean;
  of: readonly Condition[];
}

export type Condition = Comparison | Group;

export interface OrderTerm {
  /** An embedded to-one relation whose column orders the rows. */
  embed: string | null;
  field: Field;
  descending: boolean;
  nulls: 'first' | 'last' | null;
}

export type SelectItem =
  | { kind: 'all' }
  | { kind: 'field'; alias: string | null; field: Field; cast: string | null }
  | {
      kind: 'embed';
      alias: string | null;
      /** Its columns stand among those of the embedding row. */
      isSpread: boolean;
      relation: string;
      hint: string | null;
      isInner: boolean;
      items: readonly SelectItem[];
    };

/** What applies to the requested relation (path empty) or to one embedded in it. */
export interface Scope {
  path: readonly string[];
  conditions: Condition[];
  order: OrderTerm[] | null;
  limit: number | null;
  offset: number | null;
  /** Names whose value has no operator: a fault if there is such a column, else ignored. */
  withoutOperator: { name: string; value: string }[];
}

export interface ParsedRequest {
  select: readonly SelectItem[];
  scopes: readonly Scope[];
  onConflict: readonly string[] | null;
  columns: readonly string[] | null;
}
