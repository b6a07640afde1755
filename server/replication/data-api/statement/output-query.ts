/** The forms in which rows are answered, made by the database. */
export type OutputForm = 'json' | 'json-without-nulls' | 'csv';

/**
 * All rows of `row` as one text. CSV starts with the names of the columns; a row is what PostgreSQL writes between
 * the parentheses of a composite value, which is CSV.
 */
export function bodySql(row: string, form: OutputForm): string {
  switch (form) {
    case 'json':
      return `coalesce(json_agg(${row}), '[]')::text`;
    case 'json-without-nulls':
      return `json_strip_nulls(coalesce(json_agg(${row}), '[]'))::text`;
    case 'csv':
      return `coalesce((select string_agg(key, ',') from json_object_keys((array_agg(row_to_json(${row})))[1]) as key), '')
        || E'\\n' || coalesce(string_agg(substring(${row}::text, 2, length(${row}::text) - 2), E'\\n'), '')`;
  }
}
