/**
 * How links into the catalog write types and labels (contract §19.1, §19.2). Written: one wanted type as it is, else
 * tri-state with `::` as `__`; labels as `key____value:1`. Read besides: `key__:__value`, which former versions
 * wrote when a row of the summary was pressed, with or without a sign behind it.
 */
import { parseTriState, wanted, writeTriState, type TriState } from '../tri-state.ts';

const SIGNED = /:(-?1)$/;
const OLD_SEPARATOR = '__:__';

/** What the links of the catalog call no filter. */
const ALL = 'all';

/** A type as links with signs write it, read. */
export const typeOf = (written: string): string => written.replaceAll('__', '::');
/** A type for links with signs. Colons beside an underscore, or more than three, stay: they could not be read back. */
export const writtenType = (type: string): string =>
  /_::|::_|::::/.test(type) ? type : type.replaceAll('::', '__');

/** Types without signs are all wanted; `all` wants none in particular. */
export function parseTypes(text: string): TriState {
  const parts = text.split(',').filter((part) => part !== '');
  const [only] = parts;
  if (only === undefined || (parts.length === 1 && only === ALL)) return {};
  // Alone, a type is written as it is, even one that has `__` in its name.
  if (parts.length === 1 && !SIGNED.test(only)) return { [only]: 1 };
  if (!parts.every((part) => SIGNED.test(part)))
    return Object.fromEntries(parts.map((part) => [typeOf(part.replaceAll('||||', ',')), 1]));
  const types = Object.entries(parseTriState(text));
  return Object.fromEntries(types.map(([type, sign]) => [typeOf(type), sign]));
}

/** Empty for a filter that wants nothing. */
export function writeTypes(types: TriState): string {
  const [only] = wanted(types);
  const isPlain = Object.keys(types).length === 1 && only !== undefined;
  if (isPlain && only !== ALL && !only.includes(',') && !SIGNED.test(only)) return only;
  return writeTriState(
    Object.fromEntries(Object.entries(types).map(([type, sign]) => [writtenType(type), sign])),
  );
}

/** Keys are `key____value`, as they are written. */
export function parseLabels(text: string): TriState {
  const labels: Record<string, 1 | -1> = {};
  for (const part of text.split(',')) {
    const sign = SIGNED.exec(part)?.[1];
    const pair = sign === undefined ? part : part.slice(0, -sign.length - 1);
    if (pair === '') continue;
    const isOld = pair.includes(OLD_SEPARATOR);
    const entry = isOld
      ? pair.replace(OLD_SEPARATOR, ':').replaceAll('||||', ',')
      : pair.replaceAll('||||', ',').replaceAll('____', ':');
    // A pair without a colon names no value.
    if (entry.indexOf(':') > 0) labels[entry] = sign === '-1' ? -1 : 1;
  }
  return labels;
}

/** A label that holds the old separator is written with one, or it would be read as the label that it is part of. */
export function writeLabels(labels: TriState): string {
  return Object.entries(labels)
    .map(([label, sign]) =>
      label.includes(OLD_SEPARATOR)
        ? `${label.replace(':', OLD_SEPARATOR).replaceAll(',', '||||')}:${sign}`
        : writeTriState({ [label]: sign }),
    )
    .join(',');
}
