/** Lists of a specification that name things with wildcards and `!` (schema §5.1). */
import { matchesList, parseMatchList } from '../../../../../src/domain/match-list.ts';
import type { MatchList } from '../../../../../src/domain/match-list.ts';

export type Texts = readonly (string | number | boolean)[] | undefined;

/** A list that names something; null for one that doesn't: an empty match list would match everything. */
export function namedList(values: Texts): MatchList | null {
  const text = (values ?? []).map(String).join(',');
  return text.trim() === '' ? null : parseMatchList(text);
}

/** Null names nothing. */
export function isNamedBy(list: MatchList | null, value: string): boolean {
  return list !== null && matchesList(list, value);
}
