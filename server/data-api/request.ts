/** A data API request as parsed, before the catalogue has been asked whether its names exist. */
export type Operator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'ilike' | 'in' | 'is';

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
  withoutOperator: string[];
}

export interface ParsedRequest {
  select: readonly SelectItem[];
  scopes: readonly Scope[];
  onConflict: readonly string[] | null;
  columns: readonly string[] | null;
}
