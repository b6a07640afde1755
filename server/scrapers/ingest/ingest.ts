/**
 * What a scrape stores (schema §5.3): the one door from a run of a scraper to the catalog. Knows no kind of scraper,
 * no schedule and no job history. Invariants: the same run twice changes nothing but when things were seen; the order
 * of what a source lists doesn't matter; what can't be stored is told by name and holds up nothing else.
 *
 * One run of a scraper at a time; callers see to that. After it, touch `config_items` so that open pages look.
 */
import type { Database } from '../../db/database.ts';
import type { ScrapeSummary, ScrapedAnalysis, ScrapedChange, ScrapedItem } from '../scraped.ts';
import { acceptItems, labelOf } from './accept-items.ts';
import { identifyItems } from './identify-items.ts';
import { createRunItems, placeItems } from './place-items.ts';
import { createReferences } from './references.ts';
import { storeItems } from './store-items.ts';
import { createTally } from './tally.ts';

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

/** Stores what a run brought. Throws only when the database itself fails; then a repeat finishes the work. */
export async function ingest(db: Database, run: IngestRun, scraped: Scraped): Promise<Ingested> {
  const tally = createTally();
  const { accepted, errors } = acceptItems(scraped.items);
  for (const error of errors) tally.error(error);
  const references = createReferences(db, run.scraperId);
  const identified = await identifyItems(accepted, {
    scraperId: run.scraperId,
    references,
    refuse: ({ item }) => tally.error(`${labelOf(item)} was left out: its id belongs to other items`),
  });
  const items = createRunItems(identified, references);
  const placement = await placeItems(items, { ...run, references, tally });
  await storeItems(identified, { ...run, db, placement, tally });
  return tally.result();
}
