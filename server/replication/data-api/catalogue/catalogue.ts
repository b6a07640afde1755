/**
 * What the database offers: relations with columns and keys, how they link, functions. Every identifier that
 * reaches SQL is one of these. Plain views carry the foreign keys of the columns that they show.
 */
import { addTo } from '../../../../src/lib/group-by.ts';

export interface Column {
  name: string;
  /** As PostgreSQL writes it, e.g. `timestamp with time zone`. */
  type: string;
  isJson: boolean;
  /** An array or a composite: arrows go into its JSON form. */
  isStructured: boolean;
  isTextSearch: boolean;
  /** The expression of its default, from the catalogue; null for none and for generated columns. */
  defaultSql: string | null;
}

export interface Relation {
  schema: string;
  name: string;
  isTable: boolean;
  /** Its rows carry the system column that tells an inserted row from an updated one. */
  hasRowVersions: boolean;
  /** What the database can do with it; tables can do all, views what they are simple enough for. */
  can: { insert: boolean; update: boolean; delete: boolean };
  columns: ReadonlyMap<string, Column>;
  /** Of a view: the columns that show a whole primary key. */
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
  /** No two rows point at the same one. */
  isOneToOne: boolean;
  /** As declared between tables, not carried over to a view. */
  isDeclared: boolean;
}

export type DeclaredKey = Omit<ForeignKey, 'isDeclared'>;

export interface FunctionArgument {
  name: string;
  type: string;
  isOptional: boolean;
  isVariadic: boolean;
}

export interface ApiFunction {
  schema: string;
  name: string;
  args: readonly FunctionArgument[];
  /** Its only argument has no name and is the JSON of the whole body. */
  takesWholeBody: boolean;
  returnsSet: boolean;
  returnsNothing: boolean;
  /** The shape of its rows; null for a function of single values. */
  rows: Relation | null;
  /** May change data. */
  isVolatile: boolean;
}

export interface Catalogue {
  schema: string;
  /** Whoever asks may know every name in it, so that errors may suggest some. */
  isOpen: boolean;
  relations: ReadonlyMap<string, Relation>;
  foreignKeys: readonly ForeignKey[];
  functions: ReadonlyMap<string, readonly ApiFunction[]>;
  /** Enums and domains of the schema, by name. */
  types: ReadonlySet<string>;
}

/** Which column of which relation a view's column shows. */
export interface ColumnOrigin {
  view: string;
  column: string;
  fromRelation: string;
  fromColumn: string;
}

/** A name for a column of a relation; neither can hold the character between. */
const place = (relation: string, column: string) => `${relation}\u0001${column}`;

/** Where a column's values come from in the end: through views down to a table. */
function createOriginLookup(origins: readonly ColumnOrigin[]) {
  const direct = new Map(origins.map((origin) => [place(origin.view, origin.column), origin]));
  return (relation: string, column: string): string => {
    let at = place(relation, column);
    for (let origin = direct.get(at); origin !== undefined; origin = direct.get(at)) {
      at = place(origin.fromRelation, origin.fromColumn);
    }
    return at;
  };
}

type Exposure = { relation: string; columns: string[] };

/** The foreign keys as declared, and those that views carry on either end. */
export function withViewKeys(
  declared: readonly DeclaredKey[],
  origins: readonly ColumnOrigin[],
): ForeignKey[] {
  const originOf = createOriginLookup(origins);
  /** From a table's column to the columns of views that show it. */
  const shownBy = new Map<string, { view: string; column: string }[]>();
  for (const { view, column } of origins) {
    const source = originOf(view, column);
    addTo(shownBy, source, { view, column });
  }
  const exposures = (table: string, columns: readonly string[]): Exposure[] => {
    const first = shownBy.get(place(table, columns[0] ?? '')) ?? [];
    const views = [...new Set(first.map((shown) => shown.view))];
    const whole = views.flatMap((view) => {
      const shown = columns.map(
        (column) => shownBy.get(place(table, column))?.find((entry) => entry.view === view)?.column,
      );
      return shown.every((column) => column !== undefined) ? [{ relation: view, columns: shown }] : [];
    });
    return [{ relation: table, columns: [...columns] }, ...whole];
  };
  return declared.flatMap((key) =>
    exposures(key.from, key.fromColumns).flatMap((from) =>
      exposures(key.to, key.toColumns).map((to) => ({
        name: key.name,
        isOneToOne: key.isOneToOne,
        from: from.relation,
        fromColumns: from.columns,
        to: to.relation,
        toColumns: to.columns,
        isDeclared: from.relation === key.from && to.relation === key.to,
      })),
    ),
  );
}

/** Views with the primary key of the table that they show whole, the first in the order of their columns. */
export function withViewPrimaryKeys(
  relations: ReadonlyMap<string, Relation>,
  origins: readonly ColumnOrigin[],
): Map<string, Relation> {
  const originOf = createOriginLookup(origins);
  const keyOf = (name: string, relation: Relation): readonly string[] => {
    const shown = new Map([...relation.columns.keys()].map((column) => [originOf(name, column), column]));
    for (const at of shown.keys()) {
      const table = at.slice(0, at.lastIndexOf('\u0001'));
      const key = relations.get(table)?.primaryKey ?? [];
      const columns = key.flatMap((column) => shown.get(place(table, column)) ?? []);
      if (key.length > 0 && columns.length === key.length) return columns;
    }
    return [];
  };
  return new Map(
    [...relations].map(([name, relation]) => [
      name,
      relation.isTable ? relation : { ...relation, primaryKey: keyOf(name, relation) },
    ]),
  );
}
