/**
 * Match lists as filters write them (schema §5.1): `a,!b,pre*,*post,*in*`. Exclusions are tested first and win; a
 * list of only exclusions matches everything else; an empty list matches everything. A missing value counts as
 * the empty text.
 */
export type Pattern =
  | { kind: 'exact'; text: string }
  | { kind: 'prefix'; text: string }
  | { kind: 'suffix'; text: string }
  | { kind: 'contains'; text: string };

export interface MatchList {
  wanted: readonly Pattern[];
  refused: readonly Pattern[];
}

function parsePattern(item: string): Pattern {
  const isOpenStart = item.startsWith('*');
  const isOpenEnd = item.endsWith('*');
  const text = item.slice(isOpenStart ? 1 : 0, isOpenEnd && item.length > 1 ? -1 : undefined);
  if (isOpenStart && isOpenEnd) return { kind: 'contains', text };
  if (isOpenStart) return { kind: 'suffix', text };
  return isOpenEnd ? { kind: 'prefix', text } : { kind: 'exact', text };
}

/** The list without what says nothing: empty entries, a lone `!`. */
export function parseMatchList(text: string, decode: (item: string) => string = (item) => item): MatchList {
  const items = text
    .split(',')
    .map((item) => decode(item.trim()).trim())
    .filter((item) => item !== '' && item !== '!');
  return {
    wanted: items.filter((item) => !item.startsWith('!')).map(parsePattern),
    refused: items.filter((item) => item.startsWith('!')).map((item) => parsePattern(item.slice(1))),
  };
}

function fits(pattern: Pattern, value: string): boolean {
  switch (pattern.kind) {
    case 'exact':
      return value === pattern.text;
    case 'prefix':
      return value.startsWith(pattern.text);
    case 'suffix':
      return value.endsWith(pattern.text);
    case 'contains':
      return value.includes(pattern.text);
  }
}

/** Whether the list says anything at all. */
export function isEmptyList(list: MatchList): boolean {
  return list.wanted.length === 0 && list.refused.length === 0;
}

/** Whether the list lets the value through; of several values any may be wanted, none refused. */
export function matchesList(list: MatchList, ...values: readonly (string | null | undefined)[]): boolean {
  const anyFits = (patterns: readonly Pattern[]) =>
    patterns.some((pattern) => values.some((value) => fits(pattern, value ?? '')));
  if (anyFits(list.refused)) return false;
  return list.wanted.length === 0 || anyFits(list.wanted);
}
