/**
 * Follows the sources of scrapers between their scrapes, each on one server: whoever has its lease. What is heard is
 * stored in small batches, as parts of a scrape. How it goes stands in the job history, as a row whenever that changes.
 */
import { reasonOf } from '../../../platform/reason-of.ts';
import { createRedactor } from '../../../platform/crypto/redact.ts';
import type { Redactor } from '../../../platform/crypto/redact.ts';
import { noteLiterals, refuseStars } from '../../../connections/note-literals.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Lease } from '../../../platform/jobs/held-lease.ts';
import { noteReading, trimJobs } from '../../../platform/jobs/job-history-query.ts';
import { withLease } from '../../../platform/jobs/leased-database.ts';
import { extractEntry } from '../extract/extract-entry.ts';
import { ingest } from '../ingest/ingest.ts';
import { liveItemsOf } from '../ingest/items/known-items-query.ts';
import { SCRAPER_KINDS } from '../kinds/all-kinds.ts';
import type { LiveSink, LiveState, ScrapeOutput } from '../specs/scraped.ts';
import { diffMapperOf } from './diff-mapper.ts';
import { itemsLease, liveEntries, type LiveEntry } from './live-kinds.ts';
import { createRunContext, OWN_AGENT, WRITTEN_TABLES } from './run-context.ts';
import type { RunContext, RunnerDeps } from './run-context.ts';
import { watchJob } from './scraper-jobs.ts';
import type { RunningScraper } from './scraper-registry.ts';

/** What lasts shorter is no news. */
const NEWS_AFTER_MS = 20_000;
const RESTART_MS = 10_000;

interface Session {
  running: RunningScraper;
  stop: AbortController;
  done: Promise<void>;
}

interface Follow {
  running: RunningScraper;
  redactor: Redactor;
  /** Writes only while this server is the one that follows. */
  db: Database;
}

/** One for the process. */
export class LiveScrapers {
  private readonly deps: RunnerDeps;
  private readonly sessions = new Map<string, Session>();

  constructor(deps: RunnerDeps) {
    this.deps = deps;
  }

  /** How many are followed here. */
  get size(): number {
    return this.sessions.size;
  }

  /** Follows these and no others, as far as no other server does; to be called again and again. */
  async keep(all: readonly RunningScraper[], signal: AbortSignal): Promise<void> {
    const wanted = new Map(
      all.filter((running) => liveEntries(running).length > 0).map((running) => [running.id, running]),
    );
    for (const { running, stop } of this.sessions.values())
      if (wanted.get(running.id) !== running) stop.abort();
    const open = [...wanted.values()].filter(({ id }) => !this.sessions.has(id));
    for (const running of open) {
      if (signal.aborted) return;
      const lease = await this.deps.leases.take(`scraper-watch/${running.id}`);
      if (lease !== null) this.start(running, { lease, signal });
    }
  }

  /** Resolves when nothing is followed any more; its signal was aborted before. */
  async end(): Promise<void> {
    await Promise.all([...this.sessions.values()].map(({ done }) => done));
  }

  private start(running: RunningScraper, { lease, signal }: { lease: Lease; signal: AbortSignal }): void {
    const stop = new AbortController();
    const isOver = AbortSignal.any([signal, stop.signal, lease.signal]);
    const done = this.follow(running, lease, isOver)
      .catch((error: unknown) =>
        this.deps.logger.error({ scraper: running.id, reason: reasonOf(error) }, 'a source is not followed'),
      )
      .then(() => this.deps.platform.sleep(RESTART_MS, isOver))
      .then(() => lease.release())
      .catch((error: unknown) => this.deps.logger.warn({ err: error }, 'a lease ends by itself'))
      .finally(() => this.sessions.delete(running.id));
    this.sessions.set(running.id, { running, stop, done });
  }

  private async follow(running: RunningScraper, lease: Lease, signal: AbortSignal): Promise<void> {
    const redactor = createRedactor();
    noteLiterals(running.scraper.spec, redactor);
    const context = await createRunContext(this.deps, running, { redactor, signal });
    const follow = { running, redactor, db: withLease(this.deps.db, lease) };
    const note = this.noter(follow);
    await Promise.all(
      liveEntries(running).map((entry) => this.followEntry(entry, { ...follow, context, note })),
    );
  }

  private async followEntry(
    entry: LiveEntry,
    follow: Follow & { context: RunContext; note: (field: string, state: LiveState) => void },
  ): Promise<void> {
    const { context, note } = follow;
    const fail = (error: unknown) =>
      note(entry.field, { followed: 0, isFollowing: false, problems: [reasonOf(error)] });
    try {
      if (context.trust !== 'operator') refuseStars(entry.read.spec);
      const live: LiveSink = {
        platform: this.deps.platform,
        store: (output) => this.store(output, entry, follow),
        knownItems: (type) => liveItemsOf(this.deps.db, { scraperId: follow.running.id, type }),
        tell: (state) => note(entry.field, state),
      };
      // Checked against the schema of its kind when it was read, which the compiler can't follow by name.
      const watch = SCRAPER_KINDS.get(entry.kind)?.watch;
      await watch?.(entry.read.spec as never, { ...context, ...context.secrets() }, live);
    } catch (error) {
      if (!context.signal.aborted) fail(error);
    }
  }

  private async store(
    output: ScrapeOutput,
    { field, kind, read }: LiveEntry,
    { running, redactor, db: followed }: Follow,
  ): Promise<boolean> {
    const { leases, expressions, platform, notify } = this.deps;
    const items = await leases.take(itemsLease(running.id));
    if (items === null) return false;
    try {
      const now = new Date(platform.now());
      const { isFull } = running.scraper;
      const entry = { field, entry: read.base, isFull, now };
      // What could not be taken is told by whole scrapes, which meet it too.
      const extracted = await extractEntry(redactor.value(output), entry, expressions);
      await ingest(
        withLease(followed, items),
        {
          scraperId: running.id,
          agentId: OWN_AGENT,
          kind,
          isComplete: false,
          now,
          staleItemAgeMs: null,
          mapDiff: diffMapperOf(running.scraper, [extracted]),
        },
        extracted,
      );
      for (const table of WRITTEN_TABLES) notify(table);
      return true;
    } finally {
      await items.release();
    }
  }

  /** Notes what goes wrong for a while, and that it is over. */
  private noter({ running, redactor, db }: Follow): (field: string, state: LiveState) => void {
    const { platform, logger, notify } = this.deps;
    const states = new Map<string, LiveState>();
    let noted = '';
    let sinceMs: number | null = null;
    const write = async (problems: string[]) => {
      const job = watchJob(running.id);
      await db.transaction(async (tx) => {
        await noteReading(tx, job, problems);
        await trimJobs(tx, job);
      });
      notify('job_history');
    };
    return (field, state) => {
      states.set(field, state);
      const told = [...states].flatMap(([of, { problems }]) => problems.map((text) => `${of}: ${text}`));
      const isWell = told.length === 0 && [...states.values()].every(({ isFollowing }) => isFollowing);
      sinceMs = told.length === 0 ? null : (sinceMs ?? platform.now());
      if (!isWell && (sinceMs === null || platform.now() - sinceMs < NEWS_AFTER_MS)) return;
      const problems = told.map((text) => redactor.text(text)).toSorted();
      const text = JSON.stringify(problems);
      if (text === noted) return;
      noted = text;
      write(problems).catch((error: unknown) =>
        logger.warn({ err: error, scraper: running.id }, 'how a source is followed could not be noted'),
      );
    };
  }
}
