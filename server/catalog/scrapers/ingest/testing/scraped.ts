/** For tests: what a scrape brings, with everything but the named left out. */
import type { Queryable } from '../../../../platform/db/database.ts';
import { analysis, change } from '../../kinds/services/scraped-parts.ts';
import type { ScrapedItem } from '../../specs/scraped.ts';
import type { IngestRun } from '../ingest.ts';

export const NO_AGENT = '00000000-0000-0000-0000-000000000000';
export const NOON = new Date('2026-05-01T12:00:00Z');

export function anItem(given: Partial<ScrapedItem> & { externalIds: [string, ...string[]] }): ScrapedItem {
  return {
    type: 'Test::Thing',
    configClass: null,
    name: given.externalIds[0],
    status: null,
    health: null,
    ready: null,
    description: null,
    icon: null,
    config: {},
    labels: {},
    tags: {},
    properties: [],
    source: null,
    createdAt: null,
    deletedAt: null,
    deleteReason: null,
    parents: [],
    children: [],
    relationships: [],
    changes: [],
    analyses: [],
    costs: null,
    ...given,
  };
}

export const aChange = change;
export const aFinding = analysis;

/** A new scraper and a complete run of it at noon. */
export async function aRun(db: Queryable, name: string): Promise<IngestRun> {
  const scraperId = await db.text(
    `insert into config_scrapers (name, spec, source) values ($1, '{}', 'UI') returning id::text`,
    [name],
  );
  if (scraperId === null) throw new Error('the scraper was not stored');
  return {
    scraperId,
    agentId: NO_AGENT,
    kind: 'test',
    isComplete: true,
    now: NOON,
    staleItemAgeMs: 86_400_000,
  };
}

/** The run some minutes later. */
export function later(run: IngestRun, minutes: number): IngestRun {
  return { ...run, now: new Date(run.now.getTime() + minutes * 60_000) };
}
