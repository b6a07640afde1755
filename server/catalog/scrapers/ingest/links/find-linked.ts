/** Finds the items that relationships of a run are about: equal lookups once, those led by the same thing together. */
import type { Database } from '../../../../platform/db/database.ts';
import { inTurns } from '../../../../platform/in-turns.ts';
import type { ItemLookup } from '../../specs/scraped.ts';
import { chunksOf } from '../../../../../src/lib/chunks.ts';
import { asUuid } from '../items/item-identity.ts';
import { findItems } from './relationships-query.ts';
import type { LookupBy, LookupRow } from './relationships-query.ts';
import { storageFault } from '../run/storable-text.ts';
import { addTo } from '../../../../../src/lib/group-by.ts';

const CHUNK = 500;
const NO_AGENT = '00000000-0000-0000-0000-000000000000';

/** Names a lookup in a map. */
function lookupKey(to: ItemLookup): string {
  return JSON.stringify([
    ...[to.id, to.externalId, to.type, to.name, to.namespace, to.agent, to.scope].map((part) => part ?? ''),
    Object.entries(to.labels ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}

function agentOf(agent: string | undefined): string | null {
  if (agent === undefined || agent === 'all') return null;
  return agent === '' || agent === 'local' ? NO_AGENT : agent;
}

/** The lookup in the shape of a row, or why it can't be answered. */
function rowOf(to: ItemLookup, place: number, scraperId: string): LookupRow | string {
  const fault = storageFault(to, 'lookup');
  if (fault !== null) return fault;
  const given = (text: string | undefined) => (text === undefined || text === '' ? null : text);
  const scope = given(to.scope) ?? scraperId;
  const id = given(to.id);
  const isAll = scope === 'all';
  if (!isAll && asUuid(scope) === null) return `scope "${scope}" is neither all nor a scraper's id`;
  if (id !== null && asUuid(id) === null) return `id "${id}" is no uuid`;
  return {
    place,
    id,
    external_id: given(to.externalId),
    type: given(to.type),
    name: given(to.name),
    namespace: given(to.namespace),
    agent: agentOf(to.agent),
    scope: isAll ? null : scope,
    labels: to.labels === undefined || Object.keys(to.labels).length === 0 ? null : to.labels,
  };
}

function leadOf(row: LookupRow): LookupBy | null {
  if (row.id !== null) return 'id';
  if (row.external_id !== null) return 'external_id';
  if (row.name !== null) return row.type === null ? 'name' : 'type_name';
  return row.type === null ? null : 'type';
}

export interface Linked {
  idsOf(to: ItemLookup): readonly string[];
}

/** Answers the lookups of a run, after its items are stored. What can't be answered is told to `warn`. */
export async function findLinked(
  db: Database,
  { scraperId, warn }: { scraperId: string; warn: (text: string) => void },
  lookups: Iterable<ItemLookup>,
): Promise<Linked> {
  const distinct = new Map<string, ItemLookup>();
  for await (const to of inTurns(lookups)) distinct.set(lookupKey(to), to);
  const keys = [...distinct.keys()];
  const found = new Map<string, string[]>();
  const groups = new Map<LookupBy, LookupRow[]>();
  for await (const [place, to] of inTurns([...distinct.values()].entries())) {
    const row = rowOf(to, place, scraperId);
    const by = typeof row === 'string' ? null : leadOf(row);
    if (typeof row === 'string') warn(`a relationship was left out: its ${row}`);
    else if (by === null)
      warn('a relationship was left out: it needs a type, a name, an id or an external id');
    else addTo(groups, by, row);
  }
  for (const [by, rows] of groups) {
    for (const chunk of chunksOf(rows, CHUNK)) {
      for (const { place, id } of await findItems(db, by, chunk)) {
        const key = keys[place] ?? '';
        addTo(found, key, id);
      }
    }
  }
  for (const ids of found.values()) ids.sort();
  return { idsOf: (to) => found.get(lookupKey(to)) ?? [] };
}
