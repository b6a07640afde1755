/**
 * logs: the lines of a place where logs are (docs/logs.md), as one document `{ logs: [{ hash, firstObserved, message,
 * labels, count, lastObserved }] }`, equal lines once. A transform makes changes or items of them.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../../../../../src/contract/errors.ts';
import { parseDuration } from '../../../../../src/domain/check/duration.ts';
import type { LogsEntry } from '../../../../../src/contract/specs/scraper-services.ts';
import { LOG_BACKEND_KINDS } from '../../../../../src/contract/specs/log-backend-spec.ts';
import type { ScrapeContext, ScraperKind } from '../../specs/scraped.ts';
import { jsonDocument, output } from '../services/scraped-parts.ts';

const DEFAULT_START = '1h';
const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 10_000;

type Given = Record<string, unknown>;

/** The place, and what the specification asks of it; both may stand with the place. */
function placeOf(entry: LogsEntry): { backend: Given; asked: Given } {
  for (const kind of LOG_BACKEND_KINDS) {
    const given = entry[kind];
    if (given === undefined) continue;
    const { limit, start, end, ...place } = given;
    return { backend: { [kind]: place }, asked: { limit, start, end } };
  }
  throw new AppError('invalid', `name one place where logs are: ${LOG_BACKEND_KINDS.join(', ')}`);
}

function momentOf(field: string, given: unknown, nowMs: number): number {
  const text = String(given).trim();
  const backMs = parseDuration(text.replace(/^now-/, ''));
  if (backMs !== null) return nowMs - backMs;
  if (text === 'now') return nowMs;
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new AppError('invalid', `${field}: "${text}" is neither a time nor a duration such as 24h`);
  return at;
}

interface Told {
  hash: string;
  message: string;
  labels: Readonly<Record<string, string>>;
  firstObserved: string;
  lastObserved: string;
  count: number;
}

async function scrape(entry: LogsEntry, context: ScrapeContext) {
  const { backend, asked } = placeOf(entry);
  const nowMs = context.now().getTime();
  const limit = Number(entry.limit ?? asked['limit'] ?? DEFAULT_LIMIT);
  if (!(limit >= 1 && limit <= MAX_LIMIT)) throw new AppError('invalid', `limit: is 1 to ${MAX_LIMIT}`);
  const question = {
    startMs: momentOf('start', entry.start ?? asked['start'] ?? DEFAULT_START, nowMs),
    endMs: momentOf('end', entry.end ?? asked['end'] ?? 'now', nowMs),
    limit,
  };
  const { lines, isCut, notes = [] } = await context.readLogs(backend, question, context);
  const told = new Map<string, Told>();
  // The oldest first: a line that is there again is the same one later.
  for (const { atMs, message, labels } of lines.toReversed()) {
    const hash = createHash('sha256')
      .update(JSON.stringify([message, Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))]))
      .digest('hex');
    const at = new Date(atMs).toISOString();
    const known = told.get(hash);
    if (known === undefined)
      told.set(hash, { hash, message, labels, firstObserved: at, lastObserved: at, count: 1 });
    else told.set(hash, { ...known, lastObserved: at, count: known.count + 1 });
  }
  const [kind = 'logs'] = Object.keys(backend);
  return output({
    documents: told.size === 0 ? [] : [jsonDocument({ logs: [...told.values()] }, kind, {})],
    warnings: [
      ...(isCut ? [`limit: there are more than ${limit} lines in the range; the newest were read`] : []),
      ...notes,
    ],
    // Lines say nothing of what is gone.
    isComplete: false,
  });
}

/** See the head of this file. */
export const logsKind: ScraperKind<LogsEntry> = { kind: 'logs', scrape };
