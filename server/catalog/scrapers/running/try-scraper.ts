/**
 * Tries a scraper that nobody has kept (`POST /config/try`): its entries are read once, under the guards and with the rights
 * that they would have, and nothing is written. What secrets they use is masked in all that is answered.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import type { TriedEntry, TriedScraper } from '../../../../src/contract/http/trying/try-scraper.ts';
import type { SpecAuthor } from '../../../connections/secret-scope.ts';
import { withSealedSecrets } from '../../../connections/connection-query.ts';
import { noteLiterals } from '../../../connections/note-literals.ts';
import { createRedactor } from '../../../platform/crypto/redact.ts';
import { hasScript } from '../../../platform/expressions/script.ts';
import { scriptOf } from '../extract/extract-scope.ts';
import type { ScrapedItem } from '../specs/scraped.ts';
import { readScraperSpec } from '../specs/scraper-document.ts';
import type { EntryRead, ScrapeReader } from './read-scraper.ts';
import type { ReaderDeps } from './run-context.ts';

export interface TryScraperRequest {
  /** Of the scraper that is being changed. */
  id?: string | null | undefined;
  name: string;
  namespace: string;
  spec: Record<string, unknown>;
  author: Exclude<SpecAuthor, 'operator'>;
  signal: AbortSignal;
}

/** Whoever waits for the answer looks at it. */
const MAX_MS = 90_000;
/** A form holds a few; a document of hundreds is saved and not tried. */
const MAX_ENTRIES = 20;
const MAX_ITEMS = 50;
const MAX_CONFIG_CHARS = 4000;
const MAX_TEXTS = 50;

function shownItem(item: ScrapedItem): TriedEntry['items'][number] {
  const text = JSON.stringify(item.config, null, 2) ?? '';
  return {
    type: item.type,
    name: item.name,
    id: item.externalIds[0],
    health: item.health,
    status: item.status,
    config: text.slice(0, MAX_CONFIG_CHARS),
    is_config_cut: text.length > MAX_CONFIG_CHARS,
  };
}

const ofDocuments = (count: number) => (count === 1 ? '1 document' : `${count} documents`);
const ofItems = (count: number) => (count === 1 ? '1 item' : `${count} items`);

/** What of an entry people are shown. */
function triedEntry(read: EntryRead): TriedEntry {
  const { field, kind, read: parsed } = read.entry;
  const told = { field, kind };
  if ('error' in read) {
    const step = { step: 'read' as const, ok: false, text: read.error };
    const nothing = {
      items: [],
      item_count: 0,
      change_count: 0,
      analysis_count: 0,
      errors: [],
      warnings: [],
    };
    return { ...told, ok: false, steps: [step], ...nothing };
  }
  const { output, extracted } = read;
  const { items, changes, analyses, errors, warnings } = extracted;
  const isOk = errors.length === 0;
  const hasTransform = parsed.ok && hasScript(scriptOf(parsed.base.transform));
  const wrong = warnings[0] ?? errors[0] ?? '';
  const transform = { step: 'transform' as const, ok: wrong === '', text: wrong };
  const count = output.documents.length;
  return {
    ...told,
    ok: isOk,
    steps: [
      { step: 'read', ok: output.errors.length === 0, text: output.errors[0] ?? ofDocuments(count) },
      ...(hasTransform ? [transform] : []),
      { step: 'items', ok: isOk, text: errors[0] ?? ofItems(items.length) },
    ],
    items: items.slice(0, MAX_ITEMS).map(shownItem),
    item_count: items.length,
    change_count: changes.length,
    analysis_count: analyses.length,
    errors: errors.slice(0, MAX_TEXTS),
    warnings: warnings.slice(0, MAX_TEXTS),
  };
}

/** Throws `invalid` with the first field that can't be read. */
function scraperOf({ name, namespace, spec }: TryScraperRequest) {
  const title = name.trim() === '' ? 'new' : name;
  // Tried at once: when it would run is not asked.
  const read = readScraperSpec({ name: title, namespace }, { ...spec, schedule: '@never' });
  if (!read.ok) {
    const text = read.problems.map(({ field, message }) => `${field}: ${message}`).join('; ');
    throw new AppError('invalid', text, { field: read.problems[0]?.field ?? 'spec' });
  }
  if (read.scraper.entries.length > MAX_ENTRIES)
    throw new AppError('invalid', `spec: at most ${MAX_ENTRIES} entries are tried at a time`, {
      field: 'spec',
    });
  return read.scraper;
}

/** Every entry with what it went through and what it found. */
export async function tryScraper(
  deps: { reader: ScrapeReader } & Pick<ReaderDeps, 'platform' | 'db' | 'sealer'>,
  request: TryScraperRequest,
): Promise<TriedScraper> {
  const { reader, platform, db, sealer } = deps;
  const { id = null, spec } = request;
  const mayGrant = request.author === 'granter';
  const changed = { table: 'config_scrapers', id: id ?? '', spec, mayGrant } as const;
  const opened = id === null ? spec : await withSealedSecrets(db, sealer, changed);
  const scraper = scraperOf({ ...request, spec: opened });
  const redactor = createRedactor();
  noteLiterals(scraper.spec, redactor);
  const startedMs = platform.now();
  const entries: TriedEntry[] = [];
  const running = {
    // No scraper has it: items of others are found as for one that has just been kept.
    id: platform.newId(),
    scraper,
    source: 'UI',
    trust: 'user' as const,
    author: request.author,
    isPaused: false,
  };
  await reader.read(running, {
    redactor,
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(MAX_MS)]),
    onEntry: (read) => entries.push(triedEntry(read)),
  });
  return redactor.value({ duration_ms: platform.now() - startedMs, entries });
}
