/**
 * How a row is kept as a RxDB document: its columns are the document's fields. A column that holds an object or a list
 * is kept as JSON text, because RxDB's storage renames keys that start with a pipe or two underscores, and labels may
 * be called anything; which columns those are stands in the document.
 */
import type { RxJsonSchema } from 'rxdb/plugins/core';
import type { CollectionName } from '../../src/contract/collections.ts';

/** A row's columns, and the names of those that are kept as JSON text. */
export type RowDocument = { id: string; jsonColumns: string[] } & Record<string, unknown>;

const TEXT = { type: ['string', 'null'] };

/** The schema of a collection with these columns of text; others that a row has are kept as well. */
export function documentSchema(columns: readonly string[]): RxJsonSchema<RowDocument> {
  return {
    version: 0,
    primaryKey: 'id',
    type: 'object',
    properties: {
      id: { type: 'string', maxLength: 200 },
      jsonColumns: { type: 'array', items: { type: 'string' } },
      ...Object.fromEntries(columns.map((column) => [column, TEXT])),
    },
    required: ['id', 'jsonColumns'],
  };
}

const NAMED = ['name', 'namespace', 'source', 'updated_at', 'deleted_at'];

/** The collections that RxDB holds. */
export const RXDB_SCHEMAS = {
  canaries: documentSchema([...NAMED, 'labels', 'agent_id', 'job_status', 'error']),
  playbooks: documentSchema([
    ...NAMED,
    'title',
    'icon',
    'description',
    'category',
    'created_by',
    'created_at',
  ]),
} satisfies Partial<Record<CollectionName, RxJsonSchema<RowDocument>>>;

/** RxDB's own fields of a document as its storage gives it. */
const OWN = new Set(['jsonColumns', '_deleted', '_meta', '_rev', '_attachments']);

/** The document that keeps a row. */
export function documentOf(id: string, row: object): RowDocument {
  const document: RowDocument = { id, jsonColumns: [] };
  for (const [column, value] of Object.entries(row) as [string, unknown][]) {
    if (value === undefined) continue;
    const isJson = typeof value === 'object' && value !== null;
    if (isJson) document.jsonColumns.push(column);
    document[column] = isJson ? JSON.stringify(value) : value;
  }
  return document;
}

/** The row that a document keeps, its columns in the order in which they came. */
export function rowOf<Row>(document: Readonly<Record<string, unknown>>): Row {
  const jsonColumns = document['jsonColumns'] as readonly string[];
  const row: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(document)) {
    if (OWN.has(column)) continue;
    row[column] = jsonColumns.includes(column) ? JSON.parse(value as string) : value;
  }
  return row as Row;
}
