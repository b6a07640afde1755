/** Whether an edit still means what its author meant: field by field (design §4 law 7). */
import { isDeepStrictEqual } from 'node:util';

type Fields = Readonly<Record<string, unknown>>;

export interface FieldEdit {
  /** The row as it is now. */
  current: Fields;
  /** What the author wants. */
  wanted: Fields;
  /** What the author saw; a field that was not there counts as null. */
  basedOn: Fields;
}

const isSame = (a: unknown, b: unknown) => isDeepStrictEqual(a ?? null, b ?? null);

/** Fields that somebody else set to something else than both what the author saw and what they want. */
export function conflictingFields({ current, wanted, basedOn }: FieldEdit): string[] {
  return Object.keys(wanted).filter(
    (name) => !isSame(current[name], wanted[name]) && !isSame(current[name], basedOn[name]),
  );
}

/** What is left to write. */
export function missingFields({ current, wanted }: Omit<FieldEdit, 'basedOn'>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !isSame(current[name], value)));
}
