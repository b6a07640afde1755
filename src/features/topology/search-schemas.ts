/** What links to the topology may say (spec 2 §2, contract §5, §19.2). */
import { parseTriState, writeTriState, type TriState } from '../../domain/tri-state.ts';
import { PANELS } from './component/panels.ts';
import {
  choice,
  searchSchema,
  sortParams,
  text,
  triStateAs,
  type SearchOf,
} from '../../ui/search/search-params.ts';

const COMMA = '||||';
const IS_ALL = /^all$/i;

/** `value,!other`, or with signs as other pages write them; `All` is no filter. */
export function parseList(found: string): TriState {
  const signed = parseTriState(found);
  if (Object.keys(signed).length > 0) return signed;
  const pairs = found.split(',').flatMap((item): [string, 1 | -1][] => {
    const isUnwanted = item.trim().startsWith('!');
    const value = item.trim().replace(/^!/, '').replaceAll(COMMA, ',');
    return value === '' || IS_ALL.test(value) ? [] : [[value, isUnwanted ? -1 : 1]];
  });
  return Object.fromEntries(pairs);
}

/** Whether a plain list would read it as something else. */
function needsSign(value: string, sign: 1 | -1): boolean {
  const isCut = sign === 1 ? value !== value.trim() || value.startsWith('!') : value !== value.trimEnd();
  return isCut || IS_ALL.test(value) || /:-?1$/.test(value);
}

/** `parseList` reads it back. */
export function writeList(filter: TriState): string {
  const entries = Object.entries(filter);
  if (entries.some(([value, sign]) => needsSign(value, sign))) return writeTriState(filter);
  return entries.map(([value, sign]) => `${sign === -1 ? '!' : ''}${value.replaceAll(',', COMMA)}`).join(',');
}

/** `key=value,other!=value`; of a text without a value nothing is read. */
export function parseLabels(found: string): TriState {
  const pairs = found.split(',').flatMap((item): [string, 1 | -1][] => {
    const [, key, sign, value] = /^([^=!]+)(!?)=(.*)$/s.exec(item.trim()) ?? [];
    if (key === undefined || value === undefined) return [];
    return [[`${key}=${value.replaceAll(COMMA, ',')}`, sign === '!' ? -1 : 1]];
  });
  return Object.fromEntries(pairs);
}

/** `parseLabels` reads it back. */
export function writeLabels(filter: TriState): string {
  return Object.entries(filter)
    .map(([pair, sign]) => (sign === -1 ? pair.replace('=', '!=') : pair).replaceAll(',', COMMA))
    .join(',');
}

const list = triStateAs(parseList, writeList);

const cards = {
  ...sortParams,
  search: text,
  labels: triStateAs(parseLabels, writeLabels),
  team: list,
  type: list,
  status: list,
  agent_id: list,
  showHiddenComponents: choice(['yes', 'no']),
};

/** The top of the topology. */
export const topologySearch = searchSchema({ ...cards, view: choice(['cards', 'outline']) });

/** A component: from which one it was come to, and how its parts are looked at. */
export const componentSearch = searchSchema({
  ...cards,
  refererId: text,
  view: choice(['cards', 'graph', 'outline']),
  /** The panel that is open at the side. */
  panel: choice([...PANELS, 'none']),
});
/** What cards are asked with. */
export type TopologySearch = Omit<SearchOf<typeof topologySearch>, 'view'>;
export type ComponentSearch = SearchOf<typeof componentSearch>;
