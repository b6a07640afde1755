/**
 * The one way in which this worker reads the columns of a replicated row. A row's columns are whatever its backend
 * projects, so each is looked at when it is read: a value of another kind counts as none, and never breaks a
 * screen.
 */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';

export type Pairs = Readonly<Record<string, string>>;

/** A text; null when it is none. */
export function textIn(row: ReplicatedRow, column: string): string | null {
  const value = row[column];
  return typeof value === 'string' ? value : null;
}

/** A number, also one written as text, as databases write the exact ones; 0 when it is none. */
export function numberIn(row: ReplicatedRow, column: string): number {
  const value = row[column];
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
}

function areTexts(value: object): value is Pairs {
  return Object.values(value).every((one) => typeof one === 'string');
}

/** Labels or tags; the row's own object wherever its values are texts, as they nearly always are. */
export function pairsIn(row: ReplicatedRow, column: string): Pairs | null {
  const value = row[column];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if (areTexts(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
}
