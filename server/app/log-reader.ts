/** What scrapers of logs ask: the same places as log backends, with the secrets and the guard of the scraper. */
import type { LogReader } from '../catalog/scrapers/specs/scraped.ts';
import { readSpec } from '../logs/ask-backend.ts';
import { readBackend } from '../logs/backends/all-backends.ts';

/** Reads below `logsDir` and from services. */
export function createLogReader(settings: { logsDir: string | null }, now: () => number): LogReader {
  return (backend, { startMs, endMs, limit }, access) =>
    readBackend(
      readSpec(backend),
      { id: '', type: '', namespace: '', name: '', labels: {}, words: [], startMs, endMs, limit },
      { ...access, now, logsDir: settings.logsDir },
    );
}
