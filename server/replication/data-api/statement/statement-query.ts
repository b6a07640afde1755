/** Collects the parameters of one statement and hands out its table aliases. */
import type { SqlValue } from '../../../platform/db/database.ts';

export interface Statement {
  /** Placeholder of a new parameter. */
  param(value: SqlValue): string;
  /** A table alias that no other part of the statement uses. */
  alias(): string;
  readonly params: readonly SqlValue[];
}

/** `param` answers the placeholder (`$1`), `alias` a name that no other part of the statement has. */
export function createStatement(): Statement {
  const params: SqlValue[] = [];
  let aliases = 0;
  return {
    params,
    param(value) {
      params.push(value);
      return `$${params.length}`;
    },
    alias: () => `t${aliases++}`,
  };
}

/** A quoted identifier. Names come from the catalogue; only keys of the output are the client's. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The relation's name with its schema. */
export function relationSql({ schema, name }: { schema: string; name: string }): string {
  return `${identifier(schema)}.${identifier(name)}`;
}

/** Quoted, with commas between; of `alias` where one is given. */
export function columnList(names: Iterable<string>, alias?: string): string {
  return [...names]
    .map((name) => (alias === undefined ? identifier(name) : `${alias}.${identifier(name)}`))
    .join(', ');
}
