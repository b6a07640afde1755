export const SCRAPERS_PATH = '/catalog/scrapers';

/** A scraper's page within the catalog (spec 2 §2). */
export function scraperPath(id: string): string {
  return `${SCRAPERS_PATH}/${encodeURIComponent(id)}`;
}
