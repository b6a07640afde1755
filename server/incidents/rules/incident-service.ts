/**
 * Looks after incidents while the server runs: rules and definitions of done, all of them every five minutes, what
 * changed within a second or two (schema §8.2). Several servers on one database take turns. Off while
 * `incidents.disable` says so.
 */
import { hostname } from 'node:os';
import { isFeatureOn } from '../../../src/domain/access/flags.ts';
import type { Database } from '../../platform/db/database.ts';
import { createExpressions } from '../../platform/expressions/expression-thread.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { runLoop } from '../../platform/jobs/background-loop.ts';
import type { Lease } from '../../platform/jobs/held-lease.ts';
import type { JobMetrics } from '../../platform/jobs/job-metrics.ts';
import { withLease } from '../../platform/jobs/leased-database.ts';
import type { Leases } from '../../platform/jobs/leases.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { readProperties } from '../../platform/settings/properties-query.ts';
import { systemPersonId } from './open-query.ts';
import { isEvaluationDue, lastWholeRound, noteWholeRound } from './evaluation-query.ts';
import { runEvaluation } from './run-evaluation.ts';
import type { EvaluationTally } from './run-evaluation.ts';

/** Looking whether there is anything to do is one cheap statement. */
const POLL_MS = 1000;
const WHOLE_EVERY_MS = 5 * 60_000;

export interface IncidentService {
  start(): Promise<void>;
  /** Ends the round that is going on, within `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** One round now, if there is anything to do and nobody else is at it. */
  runOnce(): Promise<EvaluationTally | null>;
}

export interface IncidentServiceDeps {
  db: Database;
  leases: Pick<Leases, 'take'>;
  metrics?: JobMetrics;
  platform: Platform;
  logger: Logger;
  /** Properties set outside the database. */
  localProperties: ReadonlyMap<string, string>;
  notify: (table: string) => void;
}

class RunningIncidentService implements IncidentService {
  private readonly deps: IncidentServiceDeps;
  private readonly stopping = new AbortController();
  private readonly expressions: Expressions = createExpressions();
  private loop: Promise<void> = Promise.resolve();

  constructor(deps: IncidentServiceDeps) {
    this.deps = deps;
  }

  start(): Promise<void> {
    const run = () => this.runOnce();
    this.loop = runLoop(this.deps, { name: 'incidents', everyMs: POLL_MS, run }, this.stopping.signal);
    return Promise.resolve();
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    const grace = new AbortController();
    await Promise.race([this.loop, this.deps.platform.sleep(graceMs, grace.signal)]);
    grace.abort();
    await this.expressions.close();
  }

  async runOnce(): Promise<EvaluationTally | null> {
    const { db, platform } = this.deps;
    const now = platform.now();
    if (!(await isEvaluationDue(db, new Date(now), new Date(now - WHOLE_EVERY_MS)))) return null;
    if (!(await this.isOn())) return null;
    const lease = await this.deps.leases.take('incidents');
    if (lease === null) return null;
    try {
      return await this.round(lease, now);
    } finally {
      await lease.release();
    }
  }

  private async round(lease: Lease, now: number): Promise<EvaluationTally> {
    const { platform, notify } = this.deps;
    const db = withLease(this.deps.db, lease);
    const { expressions } = this;
    const lastMs = await lastWholeRound(db);
    // A time to come is that of a clock which was put back.
    const isWhole = lastMs === null || lastMs <= now - WHOLE_EVERY_MS || lastMs > now;
    const signal = AbortSignal.any([this.stopping.signal, lease.signal]);
    const systemId = await systemPersonId(db);
    const deps = { db, expressions, systemId, notify, hostname: hostname(), now: () => platform.now() };
    const tally = await runEvaluation(deps, { isWhole, signal });
    if (isWhole && !signal.aborted) await noteWholeRound(db, new Date(now));
    return tally;
  }

  private async isOn(): Promise<boolean> {
    const { db, localProperties } = this.deps;
    const stored = (await readProperties(db)).map(({ name, value }): [string, string] => [name, value]);
    return isFeatureOn('incidents', new Map([...stored, ...localProperties]));
  }
}

/** The service that looks after the incidents of this server's database. */
export function createIncidentService(deps: IncidentServiceDeps): IncidentService {
  return new RunningIncidentService(deps);
}
