/**
 * The topologies of this server: read from files and the database, built on their schedules and when asked, and what
 * follows from their components looked after. The door for main and the routes.
 */
import { hostname } from 'node:os';
import type { Opener } from '../platform/crypto/sealed-values.ts';
import type { Database } from '../platform/db/database.ts';
import { followSources } from '../platform/documents/document-sources.ts';
import {
  ScheduledDocuments,
  type RunAnswer,
  type ScheduledKind,
} from '../platform/documents/scheduled-documents.ts';
import { createExpressions, type Expressions } from '../platform/expressions/expression-thread.ts';
import { runLoop, type Loop } from '../platform/jobs/background-loop.ts';
import type { ChangeNotifier } from '../platform/jobs/change-notifier.ts';
import { endLeftJobs } from '../platform/jobs/job-history-query.ts';
import type { JobMetrics } from '../platform/jobs/job-metrics.ts';
import type { Leases } from '../platform/jobs/leases.ts';
import type { Logger } from '../platform/logger.ts';
import type { Platform } from '../platform/platform.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { readYamlFile } from '../platform/yaml/yaml-file.ts';
import { readTopology } from './documents/topology-document.ts';
import { databaseMark, isKnownTopology, lastRunsOf } from './documents/topology-query.ts';
import {
  createTopologyRegistry,
  type RunningTopology,
  type TopologyRegistry,
} from './documents/topology-registry.ts';
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

export interface TopologyService {
  /** Loads topologies from files and database, then builds them on their schedules. */
  start(): Promise<void>;
  /** Stops runs that are going on and notes that they were; within `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Builds one now. `unknown`: there is none; `busy`: it is being built; `refused`: its document is wrong. */
  runNow(topologyId: string): Promise<RunAnswer<RunDetails>>;
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
  private readonly scheduled: ScheduledDocuments<RunningTopology, RunDetails>;
  private readonly registry: TopologyRegistry;
  private readonly runner: TopologyRunner;
  private stopWatching: (() => Promise<void>) | null = null;
  private background: Promise<unknown> = Promise.resolve();

  constructor(deps: TopologyServiceDeps) {
    this.deps = deps;
    this.scheduled = new ScheduledDocuments(deps, this.kind(), this.stopping.signal);
    this.registry = createTopologyRegistry({ ...deps, scheduler: this.scheduled.scheduler });
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
    this.background = Promise.all([...loops, this.scheduled.run()]);
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    await this.stopWatching?.();
    await Promise.race([this.background, this.deps.platform.sleep(graceMs)]);
    await this.expressions.close();
  }

  runNow(topologyId: string): Promise<RunAnswer<RunDetails>> {
    return this.scheduled.runNow(topologyId);
  }

  stats(): ReturnType<TopologyService['stats']> {
    return { ...this.scheduled.scheduler.stats(), ...this.runner.stats() };
  }

  private kind(): ScheduledKind<RunningTopology, RunDetails> {
    const { db } = this.deps;
    return {
      name: 'topologies',
      parts: PARTS,
      concurrency: CONCURRENCY,
      get: (id) => this.registry.get(id),
      scheduleOf: ({ topology }) => topology.schedule,
      lastRuns: () => lastRunsOf(db),
      isKnown: (id) => isKnownTopology(db, id),
      databaseMark: () => databaseMark(db),
      syncDatabase: () => this.registry.syncDatabase(),
      run: (running, signal, minAgeMs) => this.runner.run(running, signal, minAgeMs),
    };
  }

  private loops(): Loop[] {
    const { leases } = this.deps;
    return [
      {
        name: 'topologies of the database',
        everyMs: DATABASE_POLL_MS,
        run: () => this.scheduled.followDatabase(),
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
