/** What scrapers of logs ask: the same places as log backends, with the secrets and the guard of the scraper. */
import type { LogReader } from '../catalog/scrapers/specs/scraped.ts';
import { readSpec } from '../logs/ask-backend.ts';
import { readBackend } from '../logs/backends/all-backends.ts';
import { cutLine } from '../logs/backends/log-backend.ts';

/** Reads below `logsDir` and from services. */
export function createLogReader(settings: { logsDir: string | null }, now: () => number): LogReader {
  return async (backend, { startMs, endMs, limit }, access) => {
    const answer = await readBackend(
      readSpec(backend),
      { id: '', type: '', namespace: '', name: '', labels: {}, words: [], startMs, endMs, limit },
      { ...access, now, logsDir: settings.logsDir },
    );
    return { ...answer, lines: answer.lines.map(cutLine) };
  };
}
