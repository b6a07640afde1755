/** Has the server read a scraper once that nobody has kept. Never queued: offline it is refused (law 9). */
import {
  triedScraperSchema,
  tryScraperSchema,
  type TriedScraper,
  type TryScraper,
} from '../../../src/contract/http/trying/try-scraper.ts';
import type { HttpClient } from '../network/http-client.ts';

/** The server gives up before. */
const TRY_TIMEOUT_MS = 100_000;

/** What each of its entries came to. */
export async function tryScraper(http: HttpClient, asked: TryScraper): Promise<TriedScraper> {
  const body = tryScraperSchema.parse(asked);
  const path = '/api/config/try';
  const answer = await http.json({ path, method: 'POST', body, timeoutMs: TRY_TIMEOUT_MS });
  return triedScraperSchema.parse(answer);
}
