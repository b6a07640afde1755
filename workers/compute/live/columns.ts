/**
 * The one way in which this worker reads the columns of a replicated row. A row's columns are whatever its backend
 * projects, so each is looked at when it is read: a value of another kind counts as none, and never breaks a
 * screen.
 */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';

export type Pairs = Readonly<Record<string, string>>;

/** The value as a text; null when it is none. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A text; null when it is none. */
export function textIn(row: ReplicatedRow, column: string): string | null {
  return asText(row[column]);
}

/** The value as a number, also one written as text, as databases write the exact ones; 0 when it is none. */
export function asNumber(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
}

/** The same of a row's column. */
export function numberIn(row: ReplicatedRow, column: string): number {
  return asNumber(row[column]);
}

function areTexts(value: object): value is Pairs {
  return Object.values(value).every((one) => typeof one === 'string');
}

/** The value as labels or tags; the same object wherever its values are texts, as they nearly always are. */
export function asPairs(value: unknown): Pairs | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if (areTexts(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
}

/** The same of a row's column. */
export function pairsIn(row: ReplicatedRow, column: string): Pairs | null {
  return asPairs(row[column]);
}
