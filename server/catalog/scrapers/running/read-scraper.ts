/**
 * Reads every entry of a scraper and makes items, changes and findings of what it says; stores nothing. What runs on a
 * schedule and what is only tried are read alike.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import { orAborted } from '../../../../src/lib/or-aborted.ts';
import { refuseStars } from '../../../connections/note-literals.ts';
import type { Redactor } from '../../../platform/crypto/redact.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { extractEntry } from '../extract/extract-entry.ts';
import type { Extracted } from '../extract/extract-entry.ts';
import { SCRAPER_KINDS } from '../kinds/all-kinds.ts';
import { isRefused } from '../kinds/refused-kinds.ts';
import type { ScrapeContext, ScrapeOutput } from '../specs/scraped.ts';
import type { ScraperEntry } from '../specs/scraper-document.ts';
import { createRunContext, type ReaderDeps, type RunContext } from './run-context.ts';
import type { RunningScraper } from './scraper-registry.ts';

/** What was read of all entries. */
export interface Gathered {
  parts: Extracted[];
  errors: string[];
  isComplete: boolean;
}

/** How one entry went, for who looks on. */
export type EntryRead = { entry: ScraperEntry } & (
  | { output: ScrapeOutput; extracted: Extracted }
  | { error: string }
);

/** One reading in progress. */
interface Reading {
  redactor: Redactor;
  signal: AbortSignal;
  onEntry?: (read: EntryRead) => void;
}

/** One for the process. */
export class ScrapeReader {
  private readonly deps: ReaderDeps;

  constructor(deps: ReaderDeps) {
    this.deps = deps;
  }

  /** All entries in their order; what one can't do is told and holds up no other. */
  async read(running: RunningScraper, reading: Reading): Promise<Gathered> {
    const { entries, isFull } = running.scraper;
    const context = await createRunContext(this.deps, running, reading);
    const { onEntry } = reading;
    const gathered: Gathered = { parts: [], errors: [], isComplete: true };
    for (const entry of entries) {
      context.signal.throwIfAborted();
      try {
        const { output, extracted } = await this.readEntry(entry, isFull, context);
        onEntry?.({ entry, output, extracted });
        gathered.parts.push(extracted);
        gathered.errors.push(...extracted.errors);
        gathered.isComplete &&= output.isComplete;
      } catch (error) {
        if (context.signal.aborted) throw error;
        const reason = reasonOf(error);
        const isNamed = reason.startsWith(entry.field);
        gathered.errors.push(isNamed ? reason : `${entry.field}.${reason}`);
        onEntry?.({ entry, error: reason });
        gathered.isComplete = false;
      }
    }
    return gathered;
  }

  private async readEntry(
    { kind, field, read }: ScraperEntry,
    isFull: boolean,
    context: RunContext,
  ): Promise<{ output: ScrapeOutput; extracted: Extracted }> {
    const found = SCRAPER_KINDS.get(kind);
    if (found === undefined) {
      const runnable = [...SCRAPER_KINDS.keys()].filter((key) => !isRefused(key)).toSorted();
      throw new AppError(
        'invalid',
        `${field}: this server has no scrapers of the kind ${kind}; it has ${runnable.join(', ')}`,
      );
    }
    if (!read.ok) throw new AppError('invalid', read.problems.join('; '));
    if (context.trust !== 'operator') refuseStars(read.spec);
    const { expressions } = this.deps;
    // Checked against the schema of its kind when it was read, which the compiler can't follow by name.
    const spec = await this.withTemplates(read.spec, context);
    const answer = found.scrape(spec as never, { ...context, ...context.secrets() });
    // A service may answer with what it was sent: before any rule sees it, and before anything is stored.
    const output = context.redactor.value(await orAborted(answer, context.signal));
    const extracted = await extractEntry(
      {
        ...output,
        errors: output.errors.map((text) => (text.startsWith(kind) ? text : `${field}.${text}`)),
      },
      { field, entry: read.base, isFull, now: context.now() },
      expressions,
    );
    return { output, extracted };
  }

  /** Bodies of requests may be templates over when the scraper last ran. */
  private async withTemplates(
    spec: Record<string, unknown>,
    { lastRun, now, scraper }: Pick<ScrapeContext, 'lastRun' | 'now' | 'scraper'>,
  ): Promise<Record<string, unknown>> {
    const { body } = spec;
    if (typeof body !== 'string' || !body.includes('{{')) return spec;
    const variables = {
      last_scrape: lastRun?.toISOString() ?? '',
      now: now().toISOString(),
      scraper: { ...scraper },
    };
    const scope = { variables, durationNames: [], lastResult: null };
    try {
      return { ...spec, body: (await this.deps.expressions.evaluate({ template: body }, scope)).text };
    } catch (error) {
      throw new AppError('invalid', `body: ${reasonOf(error)}`, { cause: error });
    }
  }
}
