/** Types that a `::cast` may name. */
import { DataApiError, clip } from '../parse/api-error.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { identifier } from '../statement/statement-query.ts';

const PLAIN_TYPES: ReadonlySet<string> = new Set([
  'text',
  'varchar',
  'char',
  'int',
  'integer',
  'int2',
  'int4',
  'int8',
  'bigint',
  'smallint',
  'decimal',
  'numeric',
  'float',
  'float4',
  'float8',
  'double precision',
  'real',
  'money',
  'bool',
  'boolean',
  'date',
  'time',
  'timetz',
  'timestamp',
  'timestamptz',
  'interval',
  'uuid',
  'json',
  'jsonb',
  'bytea',
  'inet',
  'cidr',
]);

/**
 * Types whose reader calls itself for each level. A text may be nested as deep as it is long, and the embedded
 * database does not come back from that; columns of JSON need no cast.
 */
const READ_AS_JSON: ReadonlySet<string> = new Set(['json', 'jsonb']);

/** The type as SQL: one of the plain ones, or an enum or domain of the schema. */
export function planCast(catalogue: Catalogue, name: string): string {
  const plain = name.toLowerCase();
  if (READ_AS_JSON.has(plain) && !catalogue.isOpen) {
    throw new DataApiError(400, { code: '42846', message: `cannot cast to type ${plain}` });
  }
  if (PLAIN_TYPES.has(plain)) return plain;
  if (catalogue.types.has(name)) return `${identifier(catalogue.schema)}.${identifier(name)}`;
  throw new DataApiError(400, { code: '42704', message: `type "${clip(name)}" does not exist` });
}
