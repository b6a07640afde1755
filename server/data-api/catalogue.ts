/**
 * What the database offers: relations with columns and keys, how they link, functions. Every identifier that
 * reaches SQL is one of these. Plain views carry the foreign keys of the columns that they show.
 */
export interface Column {
  name: string;
  /** As PostgreSQL writes it, e.g. `timestamp with time zone`. */
  type: string;
}

export interface Relation {
  name: string;
  /** Only tables are written to. */
  isTable: boolean;
  columns: ReadonlyMap<string, Column>;
  primaryKey: readonly string[];
  /** Column sets of which no two rows have the same, the primary key among them. */
  uniqueKeys: readonly (readonly string[])[];
}

/** Columns of one relation that point at columns of another, pairwise. */
export interface ForeignKey {
  name: string;
  from: string;
  fromColumns: readonly string[];
  to: string;
  toColumns: readonly string[];
  /** As declared between tables, not carried over to a view. */
  isDeclared: boolean;
}

export interface FunctionArgument {
  name: string;
  type: string;
  isOptional: boolean;
}

export interface ApiFunction {
  name: string;
  args: readonly FunctionArgument[];
  returnsSet: boolean;
  /** The shape of its rows; null for a function of single values. */
  rows: Relation | null;
  /** Changes data, so it is not for GET. */
  isVolatile: boolean;
}

export interface Catalogue {
  relations: ReadonlyMap<string, Relation>;
  foreignKeys: readonly ForeignKey[];
  functions: ReadonlyMap<string, readonly ApiFunction[]>;
}

/** Which column of which relation a view's column shows. */
export interface ColumnOrigin {
  view: string;
  column: string;
  fromRelation: string;
  fromColumn: string;
}

/** Where a column's values come from in the end: through views down to a table. */
function createOriginLookup(origins: readonly ColumnOrigin[]) {
  const direct = new Map(origins.map((origin) => [`${origin.view}.${origin.column}`, origin]));
  return (relation: string, column: string): string => {
    let at = `${relation}.${column}`;
    for (let origin = direct.get(at); origin !== undefined; origin = direct.get(at)) {
      at = `${origin.fromRelation}.${origin.fromColumn}`;
    }
    return at;
  };
}

type Exposure = { relation: string; columns: string[] };

/** The foreign keys as declared, and those that views carry on either end. */
export function withViewKeys(
  declared: readonly Omit<ForeignKey, 'isDeclared'>[],
  origins: readonly ColumnOrigin[],
): ForeignKey[] {
  const originOf = createOriginLookup(origins);
  /** From a table's column to the columns of views that show it. */
  const shownBy = new Map<string, { view: string; column: string }[]>();
  for (const { view, column } of origins) {
    const source = originOf(view, column);
    shownBy.set(source, [...(shownBy.get(source) ?? []), { view, column }]);
  }
  const exposures = (table: string, columns: readonly string[]): Exposure[] => {
    const first = shownBy.get(`${table}.${columns[0] ?? ''}`) ?? [];
    const views = [...new Set(first.map((shown) => shown.view))];
    const whole = views.flatMap((view) => {
      const shown = columns.map(
        (column) => shownBy.get(`${table}.${column}`)?.find((entry) => entry.view === view)?.column,
      );
      return shown.every((column) => column !== undefined) ? [{ relation: view, columns: shown }] : [];
    });
    return [{ relation: table, columns: [...columns] }, ...whole];
  };
  return declared.flatMap((key) =>
    exposures(key.from, key.fromColumns).flatMap((from) =>
      exposures(key.to, key.toColumns).map((to) => ({
        name: key.name,
        from: from.relation,
        fromColumns: from.columns,
        to: to.relation,
        toColumns: to.columns,
        isDeclared: from.relation === key.from && to.relation === key.to,
      })),
    ),
  );
}
