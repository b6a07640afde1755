/** Stores a tree that was built: in one transaction, so that nobody sees half of it. */
import type { Queryable, Transactions } from '../../platform/db/database.ts';
import type { BuiltTopology } from '../build/build-topology.ts';
import type { Draft } from '../build/draft.ts';
import type { Problems } from '../build/problems.ts';
import { componentRows } from './component-rows.ts';
import {
  deleteOthers,
  knownConfigs,
  resolveRefs,
  storedComponents,
  writeComponents,
  writeLinks,
  type ComponentLink,
} from './store-query.ts';

export interface StoreRequest {
  topologyId: string;
  schedule: string | null;
  built: BuiltTopology;
  /** Everything that there is was found: what is not among it is gone. */
  isComplete: boolean;
  newId: () => string;
  problems: Problems;
}

/** What a run did, as the job history shows it. */
export interface StoredSummary {
  components: number;
  added: number;
  changed: number;
  deleted: number;
}

/** Relationships of which the one that names the other is the part. */
const PART_OF = new Set(['subcomponentof', 'partof', 'childof', 'memberof', 'ownedby']);

const isPartOf = (type: string) => PART_OF.has(type.toLowerCase().replaceAll(/[^a-z]/g, ''));

function linksOf(
  idOf: ReadonlyMap<Draft, string>,
  resolved: ReadonlyMap<string, string>,
  { topologyId, problems }: StoreRequest,
): ComponentLink[] {
  const links: ComponentLink[] = [];
  for (const [draft, own] of idOf) {
    for (const { type = '', ref } of draft.relationships) {
      const other = resolved.get(ref);
      if (other === undefined)
        problems.tell(`"${draft.name}": relationships: no component "${ref}" is found`);
      if (other === undefined || other === own) continue;
      const [component, relationship] = isPartOf(type) ? [own, other] : [other, own];
      links.push({
        component_id: component,
        relationship_id: relationship,
        selector_id: `relationship/${topologyId}/${type}`,
      });
    }
  }
  const keyOf = (link: ComponentLink) => Object.values(link).join('\n');
  return [...new Map(links.map((link) => [keyOf(link), link])).values()];
}

async function store(tx: Queryable, request: StoreRequest): Promise<StoredSummary> {
  const { topologyId, schedule, built, isComplete, newId, problems } = request;
  const stored = await storedComponents(tx, topologyId);
  const { rows, idOf } = componentRows({ ...built, stored, schedule, newId });
  const items = await knownConfigs(
    tx,
    rows.flatMap((row) => row.config_id ?? []),
  );
  for (const row of rows) {
    if (row.config_id === null || items.has(row.config_id)) continue;
    problems.tell(`"${row.name}": configID: there is no item ${row.config_id}`);
    row.config_id = null;
  }
  const { added, changed } = await writeComponents(tx, topologyId, rows);
  const kept = rows.map(({ id }) => id);
  const deleted = isComplete ? await deleteOthers(tx, topologyId, kept) : 0;
  const refs = new Set([...idOf.keys()].flatMap((draft) => draft.relationships.map(({ ref }) => ref)));
  const resolved = refs.size === 0 ? new Map<string, string>() : await resolveRefs(tx, [...refs]);
  await writeLinks(tx, `relationship/${topologyId}/`, linksOf(idOf, resolved, request));
  return { components: rows.length, added, changed, deleted };
}

/** Writes it; what was built by another topology is not touched. */
export function storeTopology(db: Transactions, request: StoreRequest): Promise<StoredSummary> {
  return db.transaction((tx) => store(tx, request));
}
