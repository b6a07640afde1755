/**
 * The topologies of this server: read from files and the database, built on their schedules and when asked, and what
 * follows from their components looked after. The door for main and the routes.
 */
import { hostname } from 'node:os';
import type { Schedule } from '../../src/domain/check/schedule.ts';
import type { Opener } from '../platform/crypto/sealed-values.ts';
import type { Database } from '../platform/db/database.ts';
import { followSources } from '../platform/documents/document-sources.ts';
import { createExpressions, type Expressions } from '../platform/expressions/expression-thread.ts';
import { runLoop, type Loop } from '../platform/jobs/background-loop.ts';
import type { ChangeNotifier } from '../platform/jobs/change-notifier.ts';
import { endLeftJobs } from '../platform/jobs/job-history-query.ts';
import type { JobMetrics } from '../platform/jobs/job-metrics.ts';
import type { LeasedRole } from '../platform/jobs/leased-role.ts';
import type { Leases } from '../platform/jobs/leases.ts';
import { nextRunMs } from '../platform/jobs/next-run.ts';
import { createScheduler, type Scheduler } from '../platform/jobs/scheduler.ts';
import type { Logger } from '../platform/logger.ts';
import type { Platform } from '../platform/platform.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { readYamlFile } from '../platform/yaml/yaml-file.ts';
import { readTopology } from './documents/topology-document.ts';
import { databaseMark, isKnownTopology, lastRunsOf } from './documents/topology-query.ts';
import { createTopologyRegistry, type TopologyRegistry } from './documents/topology-registry.ts';
import { componentLoops } from './jobs/component-loops.ts';
import type { LookupRunner } from './running/lookup-runner.ts';
import { TopologyRunner, type RunDetails, type TopologyLimits } from './running/run-topology.ts';
import { LEFT_RUNS } from './documents/topology-jobs.ts';

/** How many topologies are built at once. */
const CONCURRENCY = 4;
const DATABASE_POLL_MS = 3000;
const UPKEEP_EVERY_MS = 60_000;
/** Scripts of topologies work on whole lists. */
const SCRIPT_LIMIT_MS = 5000;
/** Servers on one database share the topologies in so many parts. */
const PARTS = 4;
/** Of a cron line's distance nothing is known; another run within this is the same one. */
const CRON_MIN_AGE_MS = 20_000;

export interface TopologyService {
  /** Loads topologies from files and database, then builds them on their schedules. */
  start(): Promise<void>;
  /** Stops runs that are going on and notes that they were; within `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Builds one now. `unknown`: there is none; `busy`: it is being built; `refused`: its document is wrong. */
  runNow(topologyId: string): Promise<RunDetails | 'unknown' | 'busy' | 'refused'>;
  /** Numbers for /api/metrics. */
  stats(): { scheduled: number; running: number; completed: number; failed: number };
}

export interface TopologyServiceDeps {
  db: Database;
  settings: Pick<Settings, 'topologiesDir'>;
  platform: Platform;
  logger: Logger;
  /** Opens what the database keeps sealed. */
  sealer: Opener;
  leases: Pick<Leases, 'role' | 'take'>;
  metrics?: JobMetrics;
  notifier: Pick<ChangeNotifier, 'subscribe'>;
  notify: (table: string) => void;
  lookups: LookupRunner;
  limits?: TopologyLimits | undefined;
  /** Topology documents of the program itself, by source. */
  ownDocuments?: ReadonlyMap<string, readonly object[]>;
}

/** A run that was asked for stands for the scheduled one that falls together with it. */
function minAgeOf(schedule: Schedule): number {
  return schedule.kind === 'every' ? schedule.everyMs / 2 : CRON_MIN_AGE_MS;
}

/** Documents of ours are right by construction; one that isn't is a bug to be seen at once. */
function ownTopology(document: object) {
  const read = readTopology(document, 'holdfast');
  if (read?.ok !== true) throw new Error(`a built-in topology is wrong: ${JSON.stringify(read)}`);
  return read;
}

class RunningTopologyService implements TopologyService {
  private readonly deps: TopologyServiceDeps;
  private readonly stopping = new AbortController();
  private readonly expressions: Expressions = createExpressions(SCRIPT_LIMIT_MS);
  private readonly role: LeasedRole;
  private readonly scheduler: Scheduler;
  private readonly registry: TopologyRegistry;
  private readonly runner: TopologyRunner;
  private readonly asked = new Set<Promise<unknown>>();
  private stopWatching: (() => Promise<void>) | null = null;
  private background: Promise<unknown> = Promise.resolve();
  private databaseMark: string | null = null;

  constructor(deps: TopologyServiceDeps) {
    this.deps = deps;
    const { platform, logger } = deps;
    this.role = deps.leases.role('topologies', PARTS, { prepare: (isIn) => this.takeOver(isIn) });
    this.scheduler = createScheduler({
      name: 'topologies',
      platform,
      logger,
      concurrency: CONCURRENCY,
      isOurs: (id) => this.role.leaseFor(id) !== null,
      runOne: async (id, signal) => {
        const running = this.registry.get(id);
        if (running === undefined) return;
        const run = () => this.runner.run(running, signal, minAgeOf(running.topology.schedule));
        await this.role.during(id, run);
      },
    });
    this.registry = createTopologyRegistry({ ...deps, scheduler: this.scheduler });
    this.runner = new TopologyRunner({ ...deps, expressions: this.expressions, hostname: hostname() });
  }

  async start(): Promise<void> {
    const { db, settings, ownDocuments = new Map<string, readonly object[]>() } = this.deps;
    await endLeftJobs(db, LEFT_RUNS);
    this.stopWatching = await followSources({
      ...this.deps,
      registry: this.registry,
      folder: settings.topologiesDir,
      readFile: (file, text) => readYamlFile({ file, text }, readTopology),
      own: ownDocuments,
      readOwn: ownTopology,
    });
    await this.registry.syncDatabase();
    const { signal } = this.stopping;
    const loops = this.loops().map((loop) => runLoop(this.deps, loop, signal));
    this.background = Promise.all([...loops, this.scheduler.run(signal)]);
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    await this.stopWatching?.();
    const ended = Promise.all([this.background, ...this.asked]);
    await Promise.race([ended, this.deps.platform.sleep(graceMs)]);
    await this.expressions.close();
  }

  async runNow(topologyId: string): Promise<RunDetails | 'unknown' | 'busy' | 'refused'> {
    if (!(await isKnownTopology(this.deps.db, topologyId))) return 'unknown';
    // It may have been written a moment ago.
    await this.followDatabase();
    const running = this.registry.get(topologyId);
    if (running === undefined) return 'refused';
    const run = this.runner.run(running, this.stopping.signal, 0);
    const settled = run.then(
      () => undefined,
      () => undefined,
    );
    this.asked.add(settled);
    try {
      return (await run) ?? 'busy';
    } finally {
      this.asked.delete(settled);
    }
  }

  stats(): ReturnType<TopologyService['stats']> {
    return { ...this.scheduler.stats(), ...this.runner.stats() };
  }

  private loops(): Loop[] {
    const { leases } = this.deps;
    return [
      {
        name: 'topologies of the database',
        everyMs: DATABASE_POLL_MS,
        run: () => this.followDatabase(),
      },
      {
        name: 'topology runs left undone',
        everyMs: UPKEEP_EVERY_MS,
        firstAfterMs: UPKEEP_EVERY_MS,
        role: leases.role('topology-runs-left'),
        run: () => this.keepTidy(),
      },
      ...componentLoops({ ...this.deps, expressions: this.expressions, hostname: hostname() }),
    ];
  }

  /** What came from another server goes on in its rhythm. */
  private async takeOver(isIn: (id: string) => boolean): Promise<void> {
    const due = new Map<string, number>();
    for (const [id, lastMs] of await lastRunsOf(this.deps.db)) {
      const running = isIn(id) ? this.registry.get(id) : undefined;
      const nextMs = running === undefined ? null : nextRunMs(running.topology.schedule, lastMs);
      if (nextMs !== null) due.set(id, nextMs);
    }
    this.scheduler.resume(due);
  }

  /** Topologies in the database may change at any time, by any writer. */
  private async followDatabase(): Promise<void> {
    const mark = await databaseMark(this.deps.db);
    if (mark === this.databaseMark) return;
    await this.registry.syncDatabase();
    this.databaseMark = mark;
  }

  /** Runs of servers that are gone are ended in the history. */
  private async keepTidy(): Promise<void> {
    const { db, notify } = this.deps;
    if ((await endLeftJobs(db, LEFT_RUNS)) > 0) notify('job_history');
  }
}

/** The topology service of this server. */
export function createTopologyService(deps: TopologyServiceDeps): TopologyService {
  return new RunningTopologyService(deps);
}
