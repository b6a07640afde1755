/**
 * Stores a tree that was built. A small one is stored in one transaction; of a large one, a transaction holds so many
 * rows that others get their turns at the database in between: parents before their children, and what is gone last.
 * What a run that was stopped in between has written is what the next one finds. The caller holds the topology's lease.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { chunksOf } from '../../../src/lib/chunks.ts';
import type { Queryable, Transactions } from '../../platform/db/database.ts';
import type { BuiltTopology } from '../build/build-topology.ts';
import type { Draft } from '../build/draft.ts';
import type { Problems } from '../build/problems.ts';
import { componentRows, type ComponentRow } from './component-rows.ts';
import {
  deleteComponents,
  holdTopology,
  knownConfigs,
  linksLike,
  resolveRefs,
  storedComponents,
  writeComponents,
  writeLinks,
  type ComponentLink,
} from './store-query.ts';

/** Rows of one transaction: some tenths of a second on PGlite, where everybody else waits for them. */
const BATCH_ROWS = 200;

export interface StoreRequest {
  topologyId: string;
  schedule: string | null;
  built: BuiltTopology;
  /** Everything that there is was found: what is not among it is gone. */
  isComplete: boolean;
  newId: () => string;
  problems: Problems;
  /** Rows of one transaction, where tests need few. */
  batchRows?: number | undefined;
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

const prefixOf = (topologyId: string) => `relationship/${topologyId}/`;

/** The component in whose specification such a link stands. */
const sayerOf = (
  { selector_id: id, component_id: part, relationship_id: whole }: ComponentLink,
  prefix: string,
) => (isPartOf(id.slice(prefix.length)) ? part : whole);

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
        selector_id: prefixOf(topologyId) + type,
      });
    }
  }
  const keyOf = (link: ComponentLink) => Object.values(link).join('\n');
  return [...new Map(links.map((link) => [keyOf(link), link])).values()];
}

/** Items that there are not are not linked to, and told. */
async function checkItems(db: Queryable, rows: readonly ComponentRow[], problems: Problems): Promise<void> {
  const named = rows.flatMap((row) => row.config_id ?? []);
  const items = named.length === 0 ? new Set<string>() : await knownConfigs(db, named);
  for (const row of rows) {
    if (row.config_id === null || items.has(row.config_id)) continue;
    problems.tell(`"${row.name}": configID: there is no item ${row.config_id}`);
    row.config_id = null;
  }
}

type Step = (tx: Queryable) => Promise<unknown>;

/** Everything that is to be written, in order, each step for at most so many rows. */
function stepsOf(
  request: StoreRequest,
  { rows, gone, idOf }: { rows: readonly ComponentRow[]; gone: readonly string[]; idOf: Map<Draft, string> },
  summary: StoredSummary,
): Step[] {
  const { topologyId, batchRows = BATCH_ROWS } = request;
  const write = chunksOf(rows, batchRows).map((batch): Step => async (tx) => {
    const { added, changed } = await writeComponents(tx, topologyId, batch);
    summary.added += added;
    summary.changed += changed;
  });
  const remove = chunksOf(gone, batchRows).map((batch): Step => async (tx) => {
    summary.deleted += await deleteComponents(tx, batch);
  });
  const link: Step = async (tx) => {
    const refs = new Set([...idOf.keys()].flatMap((draft) => draft.relationships.map(({ ref }) => ref)));
    const resolved = refs.size === 0 ? new Map<string, string>() : await resolveRefs(tx, [...refs]);
    const prefix = prefixOf(topologyId);
    const found = new Set(idOf.values());
    // What was not found because a lookup failed keeps what it said the last time.
    const kept = request.isComplete
      ? []
      : (await linksLike(tx, prefix)).filter((one) => !found.has(sayerOf(one, prefix)));
    await writeLinks(tx, prefix, [...linksOf(idOf, resolved, request), ...kept]);
  };
  return [...write, ...remove, link];
}

/** Writes it; what was built by another topology is not touched. */
export async function storeTopology(db: Transactions, request: StoreRequest): Promise<StoredSummary> {
  const { topologyId, schedule, built, isComplete, newId, problems, batchRows = BATCH_ROWS } = request;
  const stored = await storedComponents(db, topologyId);
  const { rows, idOf } = componentRows({ ...built, stored, schedule, newId });
  await checkItems(db, rows, problems);
  const kept = new Set(rows.map(({ id }) => id));
  const gone = isComplete
    ? stored.flatMap(({ id, is_live: isLive }) => (isLive && !kept.has(id) ? [id] : []))
    : [];
  const summary = { components: rows.length, added: 0, changed: 0, deleted: 0 };
  const steps = stepsOf(request, { rows, gone, idOf }, summary);
  const isSmall = rows.length + gone.length <= batchRows;
  for (const together of isSmall ? [steps] : steps.map((step) => [step]))
    await db.transaction(async (tx) => {
      if (!(await holdTopology(tx, topologyId)))
        throw new AppError('not_found', 'the topology was removed while it was built');
      for (const step of together) await step(tx);
    });
  return summary;
}
