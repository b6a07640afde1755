/** Which components a question asks for: those of a level, or all that are found; filters are over both. */
import type { TopologyQuery } from '../../../src/contract/topology-view.ts';
import { isWantedBy, unwanted, wanted, type TriState } from '../../../src/domain/tri-state.ts';
import { statusWords } from '../../../src/domain/topology/roll-up.ts';
import { narrowed } from '../../../src/contract/row-index/row-filter.ts';
import type { ComponentNode } from './component-nodes.ts';
import type { TopologyModel } from './topology-model.ts';

/** The agent of this server itself has this id, which a link may name too. */
const LOCAL_ID = '00000000-0000-0000-0000-000000000000';
const LOCAL_AGENT = /^[0-]*$/;
/** What filters call it. */
export const LOCAL = 'local';

/** The agent as filters name it. */
export function agentOf({ agentId }: ComponentNode): string {
  return agentId === null || LOCAL_AGENT.test(agentId) ? LOCAL : agentId;
}

/** All that filters may call it. */
function agentNames(node: ComponentNode): string[] {
  const name = agentOf(node);
  return name === LOCAL ? [LOCAL, LOCAL_ID] : [name];
}

const isEmpty = (filter: TriState) => Object.keys(filter).length === 0;

/** Values of one key are alternatives, keys must all hold; unwanted pairs never match. */
function labelTest(filter: TriState): (node: ComponentNode) => boolean {
  const byKey = new Map<string, Set<string>>();
  const refused: (readonly [string, string])[] = [];
  for (const [pair, sign] of Object.entries(filter)) {
    const at = pair.indexOf('=');
    const [key, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    if (sign === -1) refused.push([key, value]);
    else byKey.set(key, (byKey.get(key) ?? new Set()).add(value));
  }
  return ({ labels }) =>
    [...byKey].every(([key, values]) => Object.hasOwn(labels, key) && values.has(labels[key] ?? '')) &&
    refused.every(([key, value]) => !Object.hasOwn(labels, key) || labels[key] !== value);
}

/** What a component's row must say. */
function rowTest({ types, teams, agents, labels }: TopologyQuery): (node: ComponentNode) => boolean {
  const hasLabels = labelTest(labels);
  return (node) =>
    isWantedBy(types, [node.component.type ?? '']) &&
    isWantedBy(teams, node.teams) &&
    (isEmpty(agents) || isWantedBy(agents, agentNames(node))) &&
    hasLabels(node);
}

/** The words that a status filter finds a component by. */
export function statusesOf(model: TopologyModel, id: string): string[] {
  return [model.shown(id).state, ...statusWords(model.rolled(id))];
}

/** A type that is wanted, and a search, look at every component, however deep it lies (contract §5: flatten). */
function looksEverywhere({ isFlat, search, types }: TopologyQuery): boolean {
  return isFlat || search.trim() !== '' || wanted(types).length > 0;
}

/** Whether anything is looked for: else a level is shown as it is. */
export function isNarrowed(query: Omit<TopologyQuery, 'isFlat' | 'rootId'>): boolean {
  const { search, status, types, teams, agents, labels } = query;
  return search.trim() !== '' || [status, types, teams, agents, labels].some((filter) => !isEmpty(filter));
}

/** Filters that may hold for a part where they don't for the whole: the topmost that pass are shown. */
function narrowsParts({ types, teams, agents, labels }: TopologyQuery): boolean {
  return [teams, agents, labels].some((filter) => !isEmpty(filter)) || unwanted(types).length > 0;
}

/** What is found among all components, where each of them is somewhere under the top: no tree need be walked. */
function foundAnywhere(model: TopologyModel, query: TopologyQuery): string[] {
  const { table, nodes } = model;
  const passes = rowTest(query);
  const ids: string[] = [];
  for (const slot of narrowed(table, table.takenSlots(), { where: [], search: query.search })) {
    const id = table.idAt(slot);
    const node = nodes.get(id);
    if (node !== undefined && passes(node)) ids.push(id);
  }
  return ids;
}

/** Ids that a search finds; null when nothing is searched. */
function searchTest(model: TopologyModel, search: string): ((id: string) => boolean) | null {
  if (search.trim() === '') return null;
  const { table } = model;
  const found = new Uint8Array(table.slotCount);
  for (const slot of narrowed(table, table.takenSlots(), { where: [], search })) found[slot] = 1;
  return (id) => found[table.slotOf(id) ?? -1] === 1;
}

/** The components that a question is about, before the filter by status. */
function candidates(model: TopologyModel, query: TopologyQuery): string[] {
  if (query.rootId === null && !query.hidesHidden && looksEverywhere(query))
    return foundAnywhere(model, query);
  const { nodes } = model;
  const passes = rowTest(query);
  const isFound = searchTest(model, query.search);
  const isShown = (node: ComponentNode) => !(query.hidesHidden && node.isHidden);
  const everywhere = looksEverywhere(query);
  const goesOn = everywhere || narrowsParts(query);
  const first = query.rootId === null ? model.rootIds : model.childIds(query.rootId);
  const ids: string[] = [];
  // A set that grows while it is walked: each id once, circles end.
  const seen = new Set(first);
  for (const id of seen) {
    const node = nodes.get(id);
    if (node === undefined || !isShown(node) || id === query.rootId) continue;
    const isOne = passes(node) && (isFound === null || isFound(id));
    if (isOne) ids.push(id);
    // Of what passes as a whole the parts are not shown beside it.
    const parts = goesOn && (everywhere || !isOne) ? model.childIds(id) : [];
    for (const child of parts) seen.add(child);
  }
  return ids;
}

/** The ids of the cards, in no order. */
export function idsFor(model: TopologyModel, query: TopologyQuery): string[] {
  const { rootId } = query;
  // What has no parts is shown itself (contract §5).
  if (rootId !== null && model.childIds(rootId).length === 0) return model.nodes.has(rootId) ? [rootId] : [];
  const ids = candidates(model, query);
  return isEmpty(query.status) ? ids : ids.filter((id) => isWantedBy(query.status, statusesOf(model, id)));
}
