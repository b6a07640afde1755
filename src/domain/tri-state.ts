/**
 * A filter whose values are each wanted, unwanted or left alone (spec 2 §5): `value:1,other:-1` in a link, with
 * commas and colons of the values escaped.
 */
export type TriState = Readonly<Record<string, 1 | -1>>;

// As links of this kind have always had them (contract §19.1).
// Beside an underscore a colon stays: which of five underscores it was could not be told.
const escaped = (value: string) =>
  (/_:|:_/.test(value) ? value : value.replaceAll(':', '____')).replaceAll(',', '||||');
const unescaped = (text: string) => text.replaceAll('||||', ',').replaceAll('____', ':');

/** Parts that can't be read are left out. */
export function parseTriState(text: string): TriState {
  const pairs = text.split(',').flatMap((pair): [string, 1 | -1][] => {
    const [, value, state] = /^(.+):(-?1)$/s.exec(pair) ?? [];
    return value === undefined ? [] : [[unescaped(value), state === '1' ? 1 : -1]];
  });
  return Object.fromEntries(pairs);
}

/** `parseTriState` reads it back. */
export function writeTriState(filter: TriState): string {
  return Object.entries(filter)
    .map(([value, state]) => `${escaped(value)}:${state}`)
    .join(',');
}

/** A press: left alone → wanted → unwanted → left alone. */
export function pressedTriState(filter: TriState, value: string): TriState {
  const { [value]: state, ...rest } = filter;
  if (state === undefined) return { ...rest, [value]: 1 };
  return state === 1 ? { ...rest, [value]: -1 } : rest;
}

/** The values that have to be there, one of them. */
export function wanted(filter: TriState): string[] {
  return Object.keys(filter).filter((value) => filter[value] === 1);
}

/** The values that must not be there. */
export function unwanted(filter: TriState): string[] {
  return Object.keys(filter).filter((value) => filter[value] === -1);
}

/** Whether a filter lets through what has these values: one of them is wanted, if any is, and none unwanted. */
export function isWantedBy(filter: TriState, values: readonly string[]): boolean {
  let [hasWanted, isWanted] = [false, false];
  for (const value in filter) {
    const has = values.includes(value);
    if (filter[value] === -1 && has) return false;
    hasWanted ||= filter[value] === 1;
    isWanted ||= filter[value] === 1 && has;
  }
  return !hasWanted || isWanted;
}
