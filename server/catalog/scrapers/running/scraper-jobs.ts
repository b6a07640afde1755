/** How the runs of scrapers stand in the job history (schema §5.3). */
const RESOURCE = { resourceType: 'config_scraper' } as const;

/** As the product names the job of a scraper's run. */
export const runJob = (scraperId: string) => ({ ...RESOURCE, name: 'Scrape', resourceId: scraperId });

/** Of reading its specification. */
export const readingJob = (scraperId: string) => ({
  ...RESOURCE,
  name: 'SyncScraper',
  resourceId: scraperId,
});

/** Of following its source between scrapes. */
export const watchJob = (scraperId: string) => ({ ...RESOURCE, name: 'Watch', resourceId: scraperId });

/** Runs that nobody ended; whoever runs a scraper holds its lease. */
export const LEFT_RUNS = { ...RESOURCE, name: 'Scrape', leasePrefix: 'scraper/' } as const;
