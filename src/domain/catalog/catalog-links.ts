/**
 * How links into the catalog write types and labels (contract §19.1, §19.2). Written: one wanted type as it is, else
 * tri-state with `::` as `__`; labels as `key____value:1`. Read besides: `key__:__value`, which former versions
 * wrote when a row of the summary was pressed, with or without a sign behind it.
 */
import { parseTriState, wanted, writeTriState, type TriState } from '../tri-state.ts';

const SIGNED = /:(-?1)$/;
const OLD_SEPARATOR = '__:__';

export function parseTypes(text: string): TriState {
  if (text === '' || text === 'all') return {};
  const parts = text.split(',').filter((part) => part !== '');
  if (!parts.every((part) => SIGNED.test(part))) return Object.fromEntries(parts.map((part) => [part, 1]));
  const types = Object.entries(parseTriState(text));
  return Object.fromEntries(types.map(([type, sign]) => [type.replaceAll('__', '::'), sign]));
}

export function writeTypes(types: TriState): string {
  const [only] = wanted(types);
  const isPlain = Object.keys(types).length === 1 && only !== undefined;
  if (isPlain && !only.includes(',') && !SIGNED.test(only)) return only;
  return writeTriState(
    Object.fromEntries(Object.entries(types).map(([type, sign]) => [type.replaceAll('::', '__'), sign])),
  );
}

export function parseLabels(text: string): TriState {
  const labels: Record<string, 1 | -1> = {};
  for (const part of text.split(',')) {
    const sign = SIGNED.exec(part)?.[1];
    const pair = sign === undefined ? part : part.slice(0, -sign.length - 1);
    if (pair === '') continue;
    const isOld = pair.includes(OLD_SEPARATOR);
    const entry = isOld
      ? pair.replace(OLD_SEPARATOR, ':')
      : pair.replaceAll('||||', ',').replaceAll('____', ':');
    // A pair without a colon names no value.
    if (entry.indexOf(':') > 0) labels[entry] = sign === '-1' ? -1 : 1;
  }
  return labels;
}

export const writeLabels = writeTriState;
