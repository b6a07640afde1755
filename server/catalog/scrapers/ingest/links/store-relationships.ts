/**
 * Stores the links that a run told: soft ones by lookup, hard ones as parents (schema §5.3). Invariants: a link that
 * several scrapers tell stays until the last of them stops; only a complete run can stop telling; links that no
 * scraper told are never touched.
 */
import type { Database } from '../../../../platform/db/database.ts';
import { inTurns } from '../../../../platform/in-turns.ts';
import { chunksOf } from '../../../../../src/lib/chunks.ts';
import { findLinked } from './find-linked.ts';
import type { IdentifiedItem } from '../items/identify-items.ts';
import { findDescendants } from '../items/known-items-query.ts';
import type { Placement } from '../items/placement.ts';
import { addLinks, dropLinks, moveItems, scrapedLinks } from './relationships-query.ts';
import type { Link } from './relationships-query.ts';
import type { References } from '../items/references.ts';
import { storageFault, tooLong } from '../run/storable-text.ts';
import { storeApart } from '../../../../platform/db/store-apart.ts';
import type { Tally } from '../run/tally.ts';

const CHUNK = 1000;
/** Bytes. */
const MAX_RELATION = 200;

export interface LinkDeps {
  db: Database;
  scraperId: string;
  isComplete: boolean;
  now: Date;
  tally: Tally;
  placement: Placement;
  references: References;
  /** Items that the source still has although they could not be stored: their links stay. */
  spared: ReadonlySet<string>;
}

const keyOf = ({ config_id, related_id, relation }: Link): string => `${config_id}:${related_id}:${relation}`;

interface ScrapedLinks {
  soft: Map<string, Link>;
  /** Item to parents, best first. */
  hard: Map<string, string[]>;
}

function faultOfRelation(relation: string): string | null {
  return tooLong('its relation', relation, MAX_RELATION) ?? storageFault(relation, 'its relation');
}

async function tell(stored: readonly IdentifiedItem[], deps: LinkDeps): Promise<ScrapedLinks> {
  const all = stored.flatMap(({ id, item }) =>
    item.relationships.map((link) => ({ id, type: item.type, link })),
  );
  const linked = await findLinked(
    deps.db,
    { scraperId: deps.scraperId, warn: (text) => deps.tally.error(text) },
    all.map(({ link }) => link.to),
  );
  const told: ScrapedLinks = { soft: new Map(), hard: new Map() };
  const refused = new Set<string>();
  for await (const { id, link } of inTurns(all)) {
    const others = linked.idsOf(link.to).filter((other) => other !== id);
    if (link.relation === 'hard') {
      const parents = told.hard.get(id) ?? [];
      for (const other of others) parents.push(other);
      told.hard.set(id, parents);
      continue;
    }
    const fault = faultOfRelation(link.relation);
    if (fault !== null) {
      refused.add(fault);
      continue;
    }
    for (const other of others) {
      const [config_id, related_id] = link.direction === 'out' ? [id, other] : [other, id];
      const row = { config_id, related_id, relation: link.relation };
      told.soft.set(keyOf(row), row);
    }
  }
  for (const fault of refused) deps.tally.error(`a relationship was left out: ${fault}`);
  return told;
}

async function storeSoft(soft: ReadonlyMap<string, Link>, ids: string[], deps: LinkDeps): Promise<void> {
  const { db, scraperId, isComplete, spared } = deps;
  const before = await scrapedLinks(db, scraperId, isComplete ? null : ids);
  const live = new Set(before.filter(({ is_live }) => is_live).map(keyOf));
  const fresh = [...soft.values()].filter((link) => !live.has(keyOf(link)));
  for (const chunk of chunksOf(fresh, CHUNK)) {
    await storeApart(
      chunk,
      (part) => db.transaction((tx) => addLinks(tx, scraperId, part)),
      ({ relation }, reason) => deps.tally.error(`a relationship "${relation}" was left out: ${reason}`),
    );
  }
  if (!isComplete) return;
  const stale = before.filter(
    (link) =>
      link.is_live && !soft.has(keyOf(link)) && !spared.has(link.config_id) && !spared.has(link.related_id),
  );
  for (const chunk of chunksOf(stale, CHUNK)) {
    await db.transaction((tx) => dropLinks(tx, deps, chunk));
  }
}

/** Parents by lookup are known only now; they count where the item itself named none that exists. */
async function placeByLookup(
  stored: readonly IdentifiedItem[],
  hard: ReadonlyMap<string, string[]>,
  { placement, references }: LinkDeps,
): Promise<void> {
  const inRun = new Set(stored.map(({ id }) => id));
  await references.loadIds([...hard.values()].flat().filter((id) => !inRun.has(id)));
  for (const { id, known } of stored) {
    const parents = hard.get(id);
    if (parents === undefined) continue;
    const current = placement.parentOf(id);
    if (current !== null && current !== known?.parent_id) continue;
    for (const parent of parents) {
      const outside = inRun.has(parent) ? null : references.byId(parent);
      if (outside !== null) placement.learn(parent, outside.path, outside.parent_id);
    }
    placement.place(id, parents);
  }
}

/** Brings the rows in line with the tree: items that a lookup moved, others that were claimed, and all below them. */
async function settle(
  stored: readonly IdentifiedItem[],
  written: ReadonlyMap<string, string>,
  { db, placement }: LinkDeps,
): Promise<void> {
  const moved = [...placement.placed()].filter((id) => written.get(id) !== placeKey(placement, id));
  const uprooted = stored
    .filter(({ id, known }) => known !== null && known.path !== placement.pathOf(id))
    .map(({ id }) => id);
  const below = await findDescendants(db, [...new Set([...moved, ...uprooted])]);
  for (const { id, parent_id } of below) {
    if (!placement.placed().has(id)) placement.learn(id, null, parent_id);
  }
  const moves = [...new Set([...moved, ...below.map(({ id }) => id)])].map((id) => ({
    id,
    parent_id: placement.parentOf(id),
    path: placement.pathOf(id),
  }));
  for (const chunk of chunksOf(moves, CHUNK)) await db.transaction((tx) => moveItems(tx, chunk));
}

function placeKey(placement: Placement, id: string): string {
  return `${placement.parentOf(id) ?? ''}|${placement.pathOf(id)}`;
}

/** Stores what the stored items of a run say of each other. */
export async function storeRelationships(stored: readonly IdentifiedItem[], deps: LinkDeps): Promise<void> {
  const written = new Map(stored.map(({ id }) => [id, placeKey(deps.placement, id)]));
  const told = await tell(stored, deps);
  await storeSoft(
    told.soft,
    stored.map(({ id }) => id),
    deps,
  );
  await placeByLookup(stored, told.hard, deps);
  await settle(stored, written, deps);
}
