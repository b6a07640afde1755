/**
 * Builds a topology once: takes its lease, reads its document, runs its lookups, stores what there is and writes the job
 * history. A run never outlives its lease or the server's stop, and writes nothing after it.
 */
import type { LookupRunner } from './lookup-runner.ts';
import { createRedactor, type Redactor } from '../../platform/crypto/redact.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import type { Lease } from '../../platform/jobs/held-lease.ts';
import { endJob, startJob, trimJobs, type RunStatus } from '../../platform/jobs/job-history-query.ts';
import { withLease } from '../../platform/jobs/leased-database.ts';
import type { Leases } from '../../platform/jobs/leases.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import type { BuildContext } from '../build/build-context.ts';
import { buildTopology, createCount, MAX_COMPONENTS } from '../build/build-topology.ts';
import { createLookups } from '../build/lookups.ts';
import { createProblems, type Problems } from '../build/problems.ts';
import { resourceSelectorOf } from '../build/selectors.ts';
import { beginRun } from '../documents/topology-query.ts';
import type { RunningTopology } from '../documents/topology-registry.ts';
import { findForeignParent } from '../store/store-query.ts';
import { storeTopology, type StoredSummary } from '../store/store-topology.ts';
import { findConfig, tagValues } from './sources-query.ts';
import { runJob } from '../documents/topology-jobs.ts';

/** No run takes longer than this. */
const MAX_RUN_MS = 15 * 60_000;
const WRITTEN = ['components', 'component_relationships', 'topologies'];

const hasChanged = (summary: StoredSummary | null) =>
  summary !== null && summary.added + summary.changed + summary.deleted > 0;

/** What one topology may come to. */
export interface TopologyLimits {
  /** What is more is left out, and told. */
  components?: number;
  /** Rows of one transaction. */
  batchRows?: number;
}

/** What a run came to, as its job says. */
export interface RunDetails {
  status: RunStatus;
  summary: StoredSummary | null;
  errors: string[];
}

export interface RunnerDeps {
  db: Database;
  platform: Platform;
  leases: Pick<Leases, 'take'>;
  logger: Logger;
  lookups: LookupRunner;
  expressions: Expressions;
  hostname: string;
  /** How large one topology gets; tests take less than the product. */
  limits?: TopologyLimits | undefined;
  notify: (table: string) => void;
}

interface Run {
  db: Database;
  signal: AbortSignal;
  problems: Problems;
  redactor: Redactor;
}

function statusOf(summary: StoredSummary | null, errors: readonly string[]): RunStatus {
  if (summary === null) return 'FAILED';
  return errors.length > 0 ? 'WARNING' : 'SUCCESS';
}

/** One for the process; topologies are built beside each other in it. */
export class TopologyRunner {
  private readonly deps: RunnerDeps;
  private readonly counts = { completed: 0, failed: 0 };

  constructor(deps: RunnerDeps) {
    this.deps = deps;
  }

  /** Builds it; null when it is being built already, here or on another server, or was less than `minAgeMs` ago. */
  async run(running: RunningTopology, signal: AbortSignal, minAgeMs: number): Promise<RunDetails | null> {
    const { db, leases, hostname, notify } = this.deps;
    const lease = await leases.take(`topology/${running.id}`);
    if (lease === null) return null;
    try {
      if (!(await beginRun(db, { topologyId: running.id, minAgeMs }))) return null;
      const jobId = await startJob(db, runJob(running.id), hostname);
      notify('job_history');
      const limits = [signal, lease.signal, AbortSignal.timeout(MAX_RUN_MS)];
      return await this.runWith(running, { jobId, lease, signal: AbortSignal.any(limits) });
    } finally {
      await lease.release();
    }
  }

  stats(): { completed: number; failed: number } {
    return this.counts;
  }

  private async runWith(
    running: RunningTopology,
    { jobId, lease, signal }: { jobId: string; lease: Lease; signal: AbortSignal },
  ): Promise<RunDetails> {
    const { logger, notify } = this.deps;
    const db = withLease(this.deps.db, lease);
    const problems = createProblems();
    const redactor = createRedactor();
    let summary: StoredSummary | null = null;
    try {
      summary = await this.buildAndStore(running, { db, signal, problems, redactor });
    } catch (error) {
      const reason = signal.aborted ? 'the run was stopped before it was done' : reasonOf(error);
      problems.tell(reason);
      logger.error({ topology: running.id, reason: redactor.text(reason) }, 'a topology could not be built');
    }
    const errors = problems.all().map((problem) => redactor.text(problem));
    const status = statusOf(summary, errors);
    const details = { ...(summary === null ? {} : { summary }), ...(errors.length === 0 ? {} : { errors }) };
    await db.transaction(async (tx) => {
      const successCount = summary?.components ?? 0;
      await endJob(tx, jobId, { status, details, successCount, errorCount: errors.length });
      await trimJobs(tx, runJob(running.id));
    });
    this.counts.completed += 1;
    if (status === 'FAILED') this.counts.failed += 1;
    notify('job_history');
    // What follows from components is worked out anew.
    if (hasChanged(summary)) for (const table of WRITTEN) notify(table);
    return { status, summary, errors };
  }

  private async buildAndStore(running: RunningTopology, run: Run): Promise<StoredSummary> {
    const { db, signal, problems } = run;
    const { topology, id } = running;
    const context = this.contextOf(running, run);
    const built = await buildTopology(context, topology, {
      findParent: (sought) => findForeignParent(db, id, sought),
      tagValues: ({ tag = '', selector }) =>
        tagValues(db, tag, selector === undefined ? null : resourceSelectorOf(selector)),
    });
    signal.throwIfAborted();
    return storeTopology(db, {
      topologyId: id,
      schedule: topology.scheduleText,
      built,
      isComplete: !context.lookups.hasFailed(),
      newId: () => this.deps.platform.newId(),
      batchRows: this.deps.limits?.batchRows,
      problems,
    });
  }

  private contextOf({ id, topology, trust, author }: RunningTopology, run: Run): BuildContext {
    const { expressions, lookups } = this.deps;
    const { db, signal, problems } = run;
    const { name, namespace, labels } = topology;
    const lookUp = (spec: Record<string, unknown>, variables: Record<string, unknown>) =>
      lookups.lookUp({ place: { id, name, namespace, labels }, spec, trust, author, signal, variables });
    return {
      lookups: createLookups(lookUp, problems, signal),
      problems,
      expressions,
      findConfig: (selector) => findConfig(db, selector),
      signal,
      variables: { topology: { id, name, namespace, labels } },
      summed: [],
      count: createCount({ problems }, this.deps.limits?.components ?? MAX_COMPONENTS),
    };
  }
}
