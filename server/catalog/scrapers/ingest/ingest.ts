/**
 * What a scrape stores (schema §5.3): the one door from a run of a scraper to the catalog. Knows no kind of scraper,
 * no schedule and no job history. Invariants: the same run twice changes nothing but when things were seen; the order
 * of what a source lists doesn't matter; what can't be stored is told by name and holds up nothing else.
 *
 * One run of a scraper at a time; callers see to that. After it, touch `config_items` so that open pages look.
 */
import type { Database } from '../../../platform/db/database.ts';
import type {
  ExternalRef,
  ScrapeSummary,
  ScrapedAnalysis,
  ScrapedChange,
  ScrapedItem,
} from '../specs/scraped.ts';
import { deleteStale } from './items/absence-query.ts';
import { acceptItems, labelOf } from './items/accept-items.ts';
import { chunksOf } from '../../../../src/lib/chunks.ts';
import { identifyItems } from './items/identify-items.ts';
import type { IdentifiedItem } from './items/identify-items.ts';
import { markSeen } from './items/items-query.ts';
import type { MapDiff } from './changes/map-diffs.ts';
import { createRunItems, placeItems } from './items/place-items.ts';
import { createReferences } from './items/references.ts';
import type { References } from './items/references.ts';
import { storeAnalyses } from './store-analyses.ts';
import { storeItems } from './store-items.ts';
import { storeRelationships } from './links/store-relationships.ts';
import { storeReportedChanges } from './changes/store-reported-changes.ts';
import { createTally } from './run/tally.ts';

const CHUNK = 1000;

export interface IngestRun {
  scraperId: string;
  agentId: string;
  /** The kind of the scraper, as changes name their source: `kubernetes`, `file` … */
  kind: string;
  /** False when the run saw only a part: what is missing is not gone. */
  isComplete: boolean;
  /** When the run began. */
  now: Date;
  /** Items not seen for this long are deleted after a complete run; null keeps them. */
  staleItemAgeMs: number | null;
  /** The specification's rules for changes that are found here. */
  mapDiff?: MapDiff | undefined;
}

/** Everything that a run brought; changes and findings may be about items from elsewhere. */
export interface Scraped {
  items: readonly ScrapedItem[];
  changes: readonly ScrapedChange[];
  analyses: readonly ScrapedAnalysis[];
}

export interface Ingested {
  summary: ScrapeSummary;
  /** What was not stored, in a sentence each. */
  errors: string[];
}

/** What the source still has although it could not be stored: seen, so neither gone nor without its links. */
async function spare(
  db: Database,
  { refs, refused }: { refs: readonly ExternalRef[]; refused: readonly IdentifiedItem[] },
  { run, references }: { run: IngestRun; references: References },
): Promise<Set<string>> {
  await references.load(refs);
  const ids = [
    ...refs.flatMap((ref) => references.findOwn(ref)?.id ?? []),
    ...refused.flatMap(({ known }) => known?.id ?? []),
  ];
  for (const chunk of chunksOf(ids, CHUNK)) await db.transaction((tx) => markSeen(tx, chunk, run.now));
  return new Set(ids);
}

/** Stores what a run brought. Throws only when the database itself fails; then a repeat finishes the work. */
export async function ingest(db: Database, run: IngestRun, scraped: Scraped): Promise<Ingested> {
  const tally = createTally();
  const { accepted, errors, spared: refs } = await acceptItems(scraped.items);
  for (const error of errors) tally.error(error);
  const references = createReferences(db, run.scraperId);
  const identified = await identifyItems(accepted, {
    scraperId: run.scraperId,
    references,
    refuse: ({ item }) => tally.error(`${labelOf(item)} was left out: its id belongs to other items`),
  });
  const items = await createRunItems(identified, references);
  const placement = await placeItems(items, { ...run, references, tally });
  const refused = await storeItems(identified, { ...run, db, placement, tally });
  const left = new Set(refused);
  const stored = identified.filter((entry) => !left.has(entry));
  const spared = await spare(db, { refs, refused }, { run, references });
  const deps = {
    ...run,
    db,
    items: await createRunItems(stored, references),
    references,
    placement,
    tally,
    spared,
  };
  await storeRelationships(stored, deps);
  await storeReportedChanges(stored, scraped.changes, deps);
  await storeAnalyses(stored, scraped.analyses, deps);
  if (run.isComplete && run.staleItemAgeMs !== null) {
    const seenBefore = new Date(run.now.getTime() - run.staleItemAgeMs);
    const gone = await db.transaction((tx) => deleteStale(tx, { ...run, seenBefore }));
    for (const { type } of gone) tally.item(type, 'deleted');
  }
  return tally.result();
}
