/**
 * Runs a scraper once: takes its lease, reads every entry, extracts, stores, and writes the job history. What one
 * entry can't do is told there and holds up no other.  A run never outlives its lease or the server's stop, and
 * writes nothing after it.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { createRedactor } from '../../../platform/crypto/redact.ts';
import type { Redactor } from '../../../platform/crypto/redact.ts';
import { noteLiterals, refuseStars } from '../../../connections/note-literals.ts';
import type { Database } from '../../../platform/db/database.ts';
import { orAborted } from '../../../../src/lib/or-aborted.ts';
import { withLease } from '../../../platform/jobs/leased-database.ts';
import type { Lease } from '../../../platform/jobs/held-lease.ts';
import { extractEntry } from '../extract/extract-entry.ts';
import type { Extracted } from '../extract/extract-entry.ts';
import { ingest } from '../ingest/ingest.ts';
import { SCRAPER_KINDS } from '../kinds/all-kinds.ts';
import { isRefused } from '../kinds/refused-kinds.ts';
import type { ScrapeContext, ScrapeOutput } from '../specs/scraped.ts';
import type { ScraperEntry } from '../specs/scraper-document.ts';
import type { RunningScraper } from './scraper-registry.ts';
import { diffMapperOf } from './diff-mapper.ts';
import { takeItems } from './live-kinds.ts';
import { createRunContext, OWN_AGENT, WRITTEN_TABLES } from './run-context.ts';
import type { RunContext, RunnerDeps } from './run-context.ts';
import { beginRun, noteGoodRun } from './scraper-runs-query.ts';
import { endJob, startJob, trimJobs } from '../../../platform/jobs/job-history-query.ts';
import { runJob } from './scraper-jobs.ts';
import { detailsOf, outcomeOf } from './run-summary.ts';
import type { RunDetails, RunOutcome } from './run-summary.ts';

/** No run takes longer than this. */
const MAX_RUN_MS = 15 * 60_000;

/** One run in progress; its writes are refused once another server has the lease. */
interface Run {
  jobId: string;
  lease: Lease;
  signal: AbortSignal;
}

/** What was read of all entries. */
interface Gathered {
  parts: Extracted[];
  errors: string[];
  isComplete: boolean;
}

/** One for the process; scrapers run beside each other in it. */
export class ScraperRunner {
  private readonly deps: RunnerDeps;
  private readonly counts = { completed: 0, failed: 0 };

  constructor(deps: RunnerDeps) {
    this.deps = deps;
  }

  /** Runs it; null when it is running already, here or in another process, or ran less than `minAgeMs` ago. */
  async run(running: RunningScraper, signal: AbortSignal, minAgeMs: number): Promise<RunDetails | null> {
    const { db, leases, hostname } = this.deps;
    const lease = await leases.take(`scraper/${running.id}`);
    if (lease === null) return null;
    let items: Lease | null = null;
    try {
      items = await takeItems(running, this.deps, signal);
      if (!(await beginRun(db, { scraperId: running.id, minAgeMs }))) return null;
      const jobId = await startJob(db, runJob(running.id), hostname);
      this.deps.notify('job_history');
      const limits = [signal, lease.signal, AbortSignal.timeout(MAX_RUN_MS)];
      return await this.runWith(running, { jobId, lease, signal: AbortSignal.any(limits) });
    } finally {
      await items?.release();
      await lease.release();
    }
  }

  stats(): { completed: number; failed: number } {
    return this.counts;
  }

  private async runWith(running: RunningScraper, { jobId, lease, signal }: Run): Promise<RunDetails> {
    const { logger } = this.deps;
    const db = withLease(this.deps.db, lease);
    const redactor = createRedactor();
    noteLiterals(running.scraper.spec, redactor);
    let outcome: RunOutcome;
    try {
      outcome = await this.scrapeAndStore(running, { db, redactor, signal });
    } catch (error) {
      const reason = signal.aborted ? 'the run was stopped before it was done' : reasonOf(error);
      outcome = { summary: {}, errors: [reason], warnings: [] };
      logger.error({ scraper: running.id, reason: redactor.text(reason) }, 'a scraper could not be run');
    }
    const details = detailsOf(outcome, (text) => redactor.text(text));
    const { status, successCount } = outcomeOf(outcome);
    const errorCount = details.errors?.length ?? 0;
    await db.transaction(async (tx) => {
      if (status !== 'FAILED') await noteGoodRun(tx, running.id);
      await endJob(tx, jobId, { status, details, successCount, errorCount });
      await trimJobs(tx, runJob(running.id));
    });
    this.counts.completed += 1;
    if (status === 'FAILED') this.counts.failed += 1;
    for (const table of [...WRITTEN_TABLES, 'job_history']) this.deps.notify(table);
    return details;
  }

  private async scrapeAndStore(
    running: RunningScraper,
    run: { db: Database; redactor: Redactor; signal: AbortSignal },
  ): Promise<RunOutcome> {
    const { db } = run;
    const { platform } = this.deps;
    const { scraper } = running;
    const now = new Date(platform.now());
    const context = await createRunContext(this.deps, running, run);
    const { parts, errors, isComplete } = await this.gather(scraper.entries, scraper.isFull, context);
    run.signal.throwIfAborted();
    const kinds = [...new Set(scraper.entries.map(({ kind }) => kind))];
    const stored = await ingest(
      db,
      {
        scraperId: running.id,
        agentId: OWN_AGENT,
        kind: kinds.length === 1 ? (kinds[0] ?? '') : 'custom',
        isComplete,
        now,
        staleItemAgeMs: scraper.staleItemAgeMs,
        mapDiff: diffMapperOf(running.scraper, parts),
      },
      {
        items: parts.flatMap((part) => part.items),
        changes: parts.flatMap((part) => part.changes),
        analyses: parts.flatMap((part) => part.analyses),
      },
    );
    return {
      summary: stored.summary,
      errors: [...scraper.notes, ...errors, ...stored.errors],
      warnings: parts.flatMap((part) => part.warnings),
    };
  }

  private async gather(
    entries: readonly ScraperEntry[],
    isFull: boolean,
    context: RunContext,
  ): Promise<Gathered> {
    const gathered: Gathered = { parts: [], errors: [], isComplete: true };
    for (const entry of entries) {
      context.signal.throwIfAborted();
      try {
        const { output, extracted } = await this.readEntry(entry, isFull, context);
        gathered.parts.push(extracted);
        gathered.errors.push(...extracted.errors);
        gathered.isComplete &&= output.isComplete;
      } catch (error) {
        if (context.signal.aborted) throw error;
        const reason = reasonOf(error);
        const isNamed = reason.startsWith(entry.field);
        gathered.errors.push(isNamed ? reason : `${entry.field}.${reason}`);
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
