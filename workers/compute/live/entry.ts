/** A row as it is shown, with what it is searched by. Never changed, only replaced. */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import type { Pending } from '../../../src/contract/live-query.ts';

export interface Entry {
  readonly row: ReplicatedRow;
  readonly pending: Pending;
  /** Lower case; words are looked for in it. */
  readonly text: string;
}

const SEARCHED = [
  'name',
  'title',
  'description',
  'comment',
  'summary',
  'type',
  'change_type',
  'namespace',
  'id',
  'incident_id',
  'external_id',
] as const;

/** What comes after is not searched: a pasted log would cost every search its time. */
const MAX_VALUE_CHARS = 2000;

function addText(parts: string[], value: unknown): void {
  if (typeof value === 'string' && value !== '') parts.push(value.slice(0, MAX_VALUE_CHARS));
  else if (typeof value === 'number') parts.push(String(value));
  else if (Array.isArray(value)) for (const one of value) addText(parts, one);
}

function addPairs(parts: string[], value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    addText(parts, value);
    return;
  }
  for (const [key, one] of Object.entries(value)) parts.push(`${key}=${String(one)}`);
}

function textOf(row: ReplicatedRow): string {
  const parts: string[] = [];
  for (const field of SEARCHED) addText(parts, row[field]);
  addPairs(parts, row.labels);
  addPairs(parts, row.tags);
  return parts.join('\n').toLowerCase();
}

/** The text to search by is made here, once for each change of the row. */
export function entryOf(row: ReplicatedRow, pending: Pending): Entry {
  return { row, pending, text: textOf(row) };
}
