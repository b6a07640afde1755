/**
 * Which scrapers are followed between their scrapes, and the lease under which either stores: never both at once, as a
 * scrape's older view would undo what was heard since.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import type { Lease } from '../../../platform/jobs/held-lease.ts';
import { SCRAPER_KINDS } from '../kinds/all-kinds.ts';
import type { ScraperEntry } from '../specs/scraper-document.ts';
import type { RunnerDeps } from './run-context.ts';
import type { RunningScraper } from './scraper-registry.ts';

const WAIT_MS = 250;
/** A server that ended while it stored gives it free sooner. */
const MAX_WAIT_MS = 30_000;

/** An entry that was read and whose kind can follow its source. */
export type LiveEntry = ScraperEntry & { read: Extract<ScraperEntry['read'], { ok: true }> };

const isLive = (entry: ScraperEntry): entry is LiveEntry =>
  entry.read.ok && entry.read.spec['live'] !== false && SCRAPER_KINDS.get(entry.kind)?.watch !== undefined;

/** What of it is followed; nothing of one that runs only when asked. */
export function liveEntries({ scraper }: RunningScraper): LiveEntry[] {
  return scraper.schedule.kind === 'never' ? [] : scraper.entries.filter(isLive);
}

/** The lease that whoever stores items of the scraper holds meanwhile. */
export const itemsLease = (scraperId: string): string => `scraper-items/${scraperId}`;

/** Waits for it; null for a scraper that nothing follows. */
export async function takeItems(
  running: RunningScraper,
  { leases, platform }: Pick<RunnerDeps, 'leases' | 'platform'>,
  signal: AbortSignal,
): Promise<Lease | null> {
  if (liveEntries(running).length === 0) return null;
  const untilMs = platform.now() + MAX_WAIT_MS;
  for (;;) {
    const lease = await leases.take(itemsLease(running.id));
    if (lease !== null) return lease;
    signal.throwIfAborted();
    if (platform.now() > untilMs)
      throw new AppError('conflict', 'its items are being stored by another server');
    await platform.sleep(WAIT_MS, signal);
  }
}
