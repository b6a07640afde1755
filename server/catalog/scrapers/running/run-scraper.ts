/**
 * Runs a scraper once: takes its lease, reads every entry, extracts, stores, and writes the job history. What one
 * entry can't do is told there and holds up no other.  A run never outlives its lease or the server's stop, and
 * writes nothing after it.
 */
import type { TriedScraper } from '../../../../src/contract/http/trying/try-scraper.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { createRedactor } from '../../../platform/crypto/redact.ts';
import type { Redactor } from '../../../platform/crypto/redact.ts';
import { noteLiterals } from '../../../connections/note-literals.ts';
import type { Database } from '../../../platform/db/database.ts';
import { withLease } from '../../../platform/jobs/leased-database.ts';
import type { Lease } from '../../../platform/jobs/held-lease.ts';
import { ingest } from '../ingest/ingest.ts';
import type { RunningScraper } from './scraper-registry.ts';
import { diffMapperOf } from './diff-mapper.ts';
import { takeItems } from './live-kinds.ts';
import { OWN_AGENT, WRITTEN_TABLES, type RunnerDeps } from './run-context.ts';
import { ScrapeReader } from './read-scraper.ts';
import { tryScraper, type TryScraperRequest } from './try-scraper.ts';
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

/** One for the process; scrapers run beside each other in it. */
export class ScraperRunner {
  private readonly deps: RunnerDeps;
  private readonly reader: ScrapeReader;
  private readonly counts = { completed: 0, failed: 0 };

  constructor(deps: RunnerDeps) {
    this.deps = deps;
    this.reader = new ScrapeReader(deps);
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

  /** Reads one that nobody has kept; stores nothing. */
  tryOne(request: TryScraperRequest): Promise<TriedScraper> {
    return tryScraper({ ...this.deps, reader: this.reader }, request);
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
    const { parts, errors, isComplete } = await this.reader.read(running, run);
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
}
