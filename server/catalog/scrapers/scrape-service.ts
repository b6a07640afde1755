/**
 * The scrapers of this server: read from files and the database, run on their schedules and when asked, stopped
 * with the server. The door for main and the routes.
 */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { TriedScraper } from '../../../src/contract/http/trying/try-scraper.ts';
import type { SecretReader } from '../../connections/connection-values.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import { readYamlFile } from '../../platform/yaml/yaml-file.ts';
import { followSources } from '../../platform/documents/document-sources.ts';
import {
  ScheduledDocuments,
  type RunAnswer,
  type ScheduledKind,
} from '../../platform/documents/scheduled-documents.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import { createExpressions } from '../../platform/expressions/expression-thread.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { runLoop, type Loop } from '../../platform/jobs/background-loop.ts';
import type { JobMetrics } from '../../platform/jobs/job-metrics.ts';
import type { Leases } from '../../platform/jobs/leases.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { cleanCatalog } from './retention.ts';
import { endLeftJobs } from '../../platform/jobs/job-history-query.ts';
import { LEFT_RUNS } from './running/scraper-jobs.ts';
import { lastRunsOf } from './running/scraper-runs-query.ts';
import { LiveScrapers } from './running/live-scrapers.ts';
import type { TryScraperRequest } from './running/try-scraper.ts';
import { ScraperRunner } from './running/run-scraper.ts';
import type { RunDetails } from './running/run-summary.ts';
import type { CheckOut, LogReader } from './specs/scraped.ts';
import { readScraper } from './specs/scraper-document.ts';
import { databaseMark, isKnownScraper } from './specs/scraper-query.ts';
import {
  createScraperRegistry,
  type RunningScraper,
  type ScraperRegistry,
} from './running/scraper-registry.ts';

/** How many scrapers run at once (schema §5.3). */
const CONCURRENCY = 12;
const DATABASE_POLL_MS = 3000;
const LIVE_POLL_MS = 2000;
const UPKEEP_EVERY_MS = 60_000;
/** Retention (schema §5.3) is hourly. */
const RETENTION_EVERY_MS = 3_600_000;
/** A transform works on whole documents. */
const SCRIPT_LIMIT_MS = 10_000;
/** Servers on one database share the scrapers in so many parts. */
const PARTS = 8;
/** The folder below SCRAPERS_DIR whose files are data: nothing in it is a specification, and users may read it. */
const DATA_FOLDER = 'data';

export interface ScrapeService {
  /** Loads scrapers from files and database, then runs them on their schedules. */
  start(): Promise<void>;
  /** Stops runs that are going on and notes that they were; within `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Runs a scraper now. `unknown`: there is none; `busy`: it is running; `refused`: its specification is wrong. */
  runNow(scraperId: string): Promise<RunAnswer<RunDetails>>;
  /** Reads one that nobody has kept, and tells what it would give. */
  tryScraper(request: TryScraperRequest): Promise<TriedScraper>;
  /** Numbers for /api/metrics. */
  stats(): { scheduled: number; running: number; completed: number; failed: number; followed: number };
}

export interface ScrapeServiceDeps {
  db: Database;
  settings: Pick<Settings, 'scrapersDir' | 'isExecAllowed'>;
  platform: Platform;
  logger: Logger;
  guard: EgressGuard;
  secret: SecretReader;
  /** Opens what the database keeps sealed. */
  sealer: Opener;
  leases: Pick<Leases, 'role' | 'take'>;
  metrics?: JobMetrics;
  notify: (table: string) => void;
  /** How logs are read: what a logs scraper asks. */
  readLogs?: LogReader;
  /** How repositories are fetched. */
  checkOut?: CheckOut;
  /** Scraper documents of the program itself, by source: the demo. */
  ownDocuments?: ReadonlyMap<string, readonly object[]>;
}

/** Documents of ours are right by construction; one that isn't is a bug to be seen at once. */
function ownScraper(document: object) {
  const read = readScraper(document, 'holdfast');
  if (read?.ok !== true) throw new Error(`a built-in scraper is wrong: ${JSON.stringify(read)}`);
  return read;
}

const isData = (file: string) => file.split('/').slice(0, -1).includes(DATA_FOLDER);

class RunningScrapeService implements ScrapeService {
  private readonly deps: ScrapeServiceDeps;
  private readonly stopping = new AbortController();
  private readonly expressions: Expressions = createExpressions(SCRIPT_LIMIT_MS);
  private readonly scheduled: ScheduledDocuments<RunningScraper, RunDetails>;
  private readonly registry: ScraperRegistry;
  private readonly runner: ScraperRunner;
  private readonly live: LiveScrapers;
  private stopWatching: (() => Promise<void>) | null = null;
  private background: Promise<unknown> = Promise.resolve();

  constructor(deps: ScrapeServiceDeps) {
    this.deps = deps;
    const { settings } = deps;
    const { scrapersDir } = settings;
    this.scheduled = new ScheduledDocuments(deps, this.kind(), this.stopping.signal);
    this.registry = createScraperRegistry({ ...deps, scheduler: this.scheduled.scheduler });
    const running = {
      ...deps,
      mounted: deps.secret,
      expressions: this.expressions,
      mayExec: settings.isExecAllowed,
      hostname: hostname(),
      scrapersDir,
      usersDir: scrapersDir === null ? null : join(scrapersDir, DATA_FOLDER),
    };
    this.runner = new ScraperRunner(running);
    this.live = new LiveScrapers(running);
  }

  async start(): Promise<void> {
    const { db } = this.deps;
    await endLeftJobs(db, LEFT_RUNS);
    const { settings, ownDocuments = new Map<string, readonly object[]>() } = this.deps;
    this.stopWatching = await followSources({
      ...this.deps,
      registry: this.registry,
      folder: settings.scrapersDir,
      isForeign: isData,
      readFile: (file, text) => readYamlFile({ file, text }, readScraper),
      own: ownDocuments,
      readOwn: ownScraper,
    });
    await this.registry.syncDatabase();
    const { signal } = this.stopping;
    const loops = this.loops().map((loop) => runLoop(this.deps, loop, signal));
    this.background = Promise.all([...loops, this.scheduled.run()]).then(() => this.live.end());
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    await this.stopWatching?.();
    await Promise.race([this.background, this.deps.platform.sleep(graceMs)]);
    await this.expressions.close();
  }

  runNow(scraperId: string): Promise<RunAnswer<RunDetails>> {
    return this.scheduled.runNow(scraperId);
  }

  tryScraper(request: TryScraperRequest): Promise<TriedScraper> {
    return this.runner.tryOne(request);
  }

  stats(): ReturnType<ScrapeService['stats']> {
    return { ...this.scheduled.scheduler.stats(), ...this.runner.stats(), followed: this.live.size };
  }

  private kind(): ScheduledKind<RunningScraper, RunDetails> {
    const { db } = this.deps;
    return {
      name: 'scrapers',
      parts: PARTS,
      concurrency: CONCURRENCY,
      get: (id) => this.registry.get(id),
      scheduleOf: ({ scraper }) => scraper.schedule,
      lastRuns: () => lastRunsOf(db),
      isKnown: (id) => isKnownScraper(db, id),
      databaseMark: () => databaseMark(db),
      syncDatabase: () => this.registry.syncDatabase(),
      run: (running, signal, minAgeMs) => this.runner.run(running, signal, minAgeMs),
    };
  }

  private loops(): Loop[] {
    const { leases, platform } = this.deps;
    return [
      {
        name: 'scrapers of the database',
        everyMs: DATABASE_POLL_MS,
        run: () => this.scheduled.followDatabase(),
      },
      {
        name: 'sources followed',
        everyMs: LIVE_POLL_MS,
        run: (signal) => this.live.keep(this.registry.all(), signal),
      },
      {
        name: 'scrapes left undone',
        everyMs: UPKEEP_EVERY_MS,
        firstAfterMs: UPKEEP_EVERY_MS,
        role: leases.role('scrapes-left'),
        run: () => this.keepTidy(),
      },
      {
        name: 'catalog retention',
        everyMs: RETENTION_EVERY_MS,
        firstAfterMs: (RETENTION_EVERY_MS / 2) * (1 + platform.random()),
        role: leases.role('catalog-retention'),
        run: () => this.keepSmall(),
      },
    ];
  }

  /** Takes out of the catalog what is older than its retention. */
  private async keepSmall(): Promise<void> {
    const { db, platform, notify } = this.deps;
    await cleanCatalog(db, () => new Date(platform.now()));
    for (const table of ['config_items', 'config_changes', 'config_analysis', 'job_history']) notify(table);
  }

  /** Runs of servers that are gone are ended in the history. */
  private async keepTidy(): Promise<void> {
    const { db, notify } = this.deps;
    if ((await endLeftJobs(db, LEFT_RUNS)) > 0) notify('job_history');
  }
}

/** The scrape service of this server. */
export function createScrapeService(deps: ScrapeServiceDeps): ScrapeService {
  return new RunningScrapeService(deps);
}
