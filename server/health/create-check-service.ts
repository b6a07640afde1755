/**
 * Puts the running of checks together: documents from files, the database and the program itself go into the
 * registry, the scheduler runs them, results are stored. Implements the door check-service.ts.
 */
import { hostname } from 'node:os';
import type { RunResult } from '../../src/contract/http/canary.ts';
import type { TriedCheck } from '../../src/contract/http/trying/try-check.ts';
import { runLoop } from '../platform/jobs/background-loop.ts';
import type { JobMetrics } from '../platform/jobs/job-metrics.ts';
import type { LeasedRole } from '../platform/jobs/leased-role.ts';
import type { Leases } from '../platform/jobs/leases.ts';
import { nextRunMs } from '../platform/jobs/next-run.ts';
import type { ChangeNotifier } from '../platform/jobs/change-notifier.ts';
import type { Opener } from '../platform/crypto/sealed-values.ts';
import type { Database } from '../platform/db/database.ts';
import { createServerGuard } from '../platform/egress/server-guard.ts';
import type { Logger } from '../platform/logger.ts';
import type { Platform } from '../platform/platform.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { checkKey, databaseMark, disabledKinds, findCheck, nextRunsOf } from './canaries/canary-query.ts';
import type { KnownCheck } from './canaries/canary-query.ts';
import { createCanaryRegistry, type CanaryRegistry } from './canaries/canary-registry.ts';
import type { CheckService, LookupRunner } from './check-service.ts';
import { createExpressions } from '../platform/expressions/expression-thread.ts';
import type { Expressions } from '../platform/expressions/expression-thread.ts';
import { createSecretReader } from './kind/secret-values.ts';
import { catalogReader } from './kinds/catalog/catalog-query.ts';
import { runMaintenance } from './results/maintenance.ts';
import { CheckFigures } from './results/check-figures.ts';
import { createResultWriter } from './results/result-writer.ts';
import type { ResultWriter } from './results/result-writer.ts';
import { CanaryRunner, isPosted } from './running/run-canary.ts';
import { findPosted } from './running/posted-checks.ts';
import type { PostedCall } from './running/posted-checks.ts';
import { postedVariables } from './kinds/inbound/webhook-kind.ts';
import type { SharedContext } from './running/run-canary.ts';
import { answerNotRun, answerPosted, resultOf } from './running/run-answers.ts';
import { tryCanary, type TryRequest } from './running/try-canary.ts';
import { runLookup, type LookupAnswer, type LookupRequest } from './running/run-lookup.ts';
import { elapsedMs } from '../platform/platform.ts';
import { hasOuterNetwork } from '../platform/egress/platform-network.ts';
import { Sight } from './sight/sight.ts';
import { createWatch } from './sight/watch-sight.ts';
import { createScheduler } from '../platform/jobs/scheduler.ts';
import type { Scheduler } from '../platform/jobs/scheduler.ts';
import { CanarySources } from './sources/canary-sources.ts';

/** How many canaries run at once. */
const CONCURRENCY = 50;
const DATABASE_POLL_MS = 3000;
const SIGHT_EVERY_MS = 5000;
/** Servers on one database share the checks in so many parts. */
const PARTS = 16;

interface CheckServiceDeps {
  db: Database;
  notifier: ChangeNotifier;
  settings: Settings;
  logger: Logger;
  platform: Platform;
  /** Opens what the database keeps sealed. */
  sealer: Opener;
  leases: Pick<Leases, 'role'>;
  metrics?: JobMetrics;
  /** The server's own address. */
  url: string;
  /** Canary documents of the program itself, by source: the demo. */
  ownDocuments?: ReadonlyMap<string, readonly object[]>;
}

/** What all kinds of checks share. */
function sharedContext({ settings, platform, db }: CheckServiceDeps): SharedContext {
  return {
    platform,
    guard: createServerGuard(settings),
    isExecAllowed: settings.isExecAllowed,
    secret: createSecretReader(settings.dataDir),
    catalog: catalogReader(db),
  };
}

class RunningCheckService implements CheckService, LookupRunner {
  private readonly deps: CheckServiceDeps;
  private readonly stopping = new AbortController();
  private readonly expressions: Expressions = createExpressions();
  private readonly writer: ResultWriter;
  private readonly context: SharedContext;
  private readonly role: LeasedRole;
  private readonly scheduler: Scheduler;
  private readonly registry: CanaryRegistry;
  private readonly runner: CanaryRunner;
  private readonly sources: CanarySources;
  private readonly sight: Sight;
  private readonly figures = new CheckFigures();
  private disabled = new Set<string>();
  private databaseMark: string | null = null;
  private following: Promise<void> | null = null;
  private background: Promise<unknown> = Promise.resolve();

  constructor(deps: CheckServiceDeps) {
    const { platform, logger } = deps;
    this.deps = deps;
    this.writer = createResultWriter(deps);
    this.context = sharedContext(deps);
    this.sight = new Sight({
      probes: deps.settings.uplinkProbes,
      guard: this.context.guard,
      hasNetwork: hasOuterNetwork,
      now: () => platform.now(),
      elapsed: elapsedMs,
    });
    this.role = deps.leases.role('checks', PARTS, { prepare: (isIn) => this.takeOver(isIn) });
    this.scheduler = createScheduler({
      name: 'checks',
      platform,
      logger,
      concurrency: CONCURRENCY,
      isOurs: (id) => this.role.leaseFor(id) !== null,
      runOne: async (id, signal) => {
        const canary = this.registry.get(id);
        if (canary === undefined) return;
        await this.role.during(id, (lease) => this.runner.run(canary, { signal, lease }));
      },
    });
    const { isExecAllowed } = deps.settings;
    this.registry = createCanaryRegistry({ ...deps, scheduler: this.scheduler, isExecAllowed });
    this.runner = new CanaryRunner({
      db: deps.db,
      sealer: deps.sealer,
      notifier: deps.notifier,
      writer: this.writer,
      figures: this.figures,
      expressions: this.expressions,
      nextRunMs: (id) => this.nextRunMs(id),
      isDisabled: (kind) => this.disabled.has(kind),
      context: this.context,
      blindness: (type, startedMs) => this.sight.blindnessOf(type, startedMs),
    });
    this.sources = new CanarySources({ ownDocuments: new Map(), ...deps, registry: this.registry });
  }

  async start(): Promise<void> {
    await this.sources.start();
    const { signal } = this.stopping;
    const databaseLoop = {
      name: 'checks of the database',
      everyMs: DATABASE_POLL_MS,
      run: () => this.followNow(),
    };
    this.background = Promise.all([
      runLoop(this.deps, databaseLoop, signal),
      this.scheduler.run(signal),
      runMaintenance(this.deps, signal),
      runLoop(this.deps, this.sightLoop(), signal),
    ]);
  }

  private sightLoop() {
    const { db, notifier, platform } = this.deps;
    const now = () => platform.now();
    const look = createWatch({ db, notifier, sight: this.sight, serverName: hostname(), now });
    return { name: 'sight', everyMs: SIGHT_EVERY_MS, run: () => look().then(() => null) };
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    await this.sources.stop();
    await Promise.race([this.background, this.deps.platform.sleep(graceMs)]);
    await this.writer.flush();
    await this.expressions.close();
  }

  async runCheckNow(checkId: string): Promise<RunResult | null | 'unknown'> {
    const own = await this.runRegistered(checkId);
    if (own !== undefined) return own;
    const known = await findCheck(this.deps.db, checkId);
    if (known === null) return 'unknown';
    // Another server may have heard of its canary first.
    await this.followNow();
    const late = await this.runRegistered(checkId);
    if (late !== undefined) return late;
    return (await this.runMaker(known)) ?? answerNotRun(known);
  }

  /** Undefined where no canary that this server knows has it. */
  private async runRegistered(checkId: string): Promise<RunResult | null | undefined> {
    for (const canary of this.registry.all()) {
      const key = [...canary.checkIds].find(([, id]) => id === checkId)?.[0];
      if (key === undefined) continue;
      const isAsked = (entry: { type: string; name: string }) => checkKey(entry.type, entry.name) === key;
      const { signal } = this.stopping;
      const asked = canary.canary.entries.find(isAsked);
      if (asked !== undefined && isPosted(asked)) return answerPosted(asked.name, checkId);
      const outcomes = await this.runner.run(canary, { signal, only: isAsked, lease: null });
      return resultOf(outcomes.find(({ entry, derived }) => derived === null && isAsked(entry)));
    }
    return undefined;
  }

  async takePosted(call: PostedCall): Promise<'taken' | 'unknown'> {
    const found = await findPosted(this.registry.all(), call, this.context);
    if (found === null) return 'unknown';
    const { canary, entry } = found;
    const { signal } = this.stopping;
    const posted = postedVariables(call.posted());
    await this.runner.run(canary, { signal, only: (one) => one === entry, lease: null, posted });
    return 'taken';
  }

  /** A check that another's transform makes runs with that one; null where it did not come out of it. */
  private async runMaker({ canaryId, name, madeBy }: KnownCheck): Promise<RunResult | null> {
    const canary = this.registry.get(canaryId);
    if (canary === undefined || madeBy === null) return null;
    const isMaker = (entry: { type: string; name: string }) => `${entry.type}/${entry.name}` === madeBy;
    const { signal } = this.stopping;
    const outcomes = await this.runner.run(canary, { signal, only: isMaker, lease: null });
    return resultOf(outcomes.find(({ derived, notRun }) => notRun !== null || derived?.name === name));
  }

  lookUp(request: LookupRequest): Promise<LookupAnswer[]> {
    return runLookup({ ...this.deps, expressions: this.expressions, context: this.context }, request);
  }

  tryChecks(request: TryRequest): Promise<TriedCheck[]> {
    const { expressions, context } = this;
    const isDisabled = (kind: string) => this.disabled.has(kind);
    return tryCanary({ ...this.deps, expressions, context, isDisabled }, request);
  }

  stats(): ReturnType<CheckService['stats']> {
    return { ...this.scheduler.stats(), ...this.runner.stats() };
  }

  figuresText(): string {
    const ours = this.registry.all().filter(({ id }) => this.role.leaseFor(id) !== null);
    const ids = new Set(ours.flatMap(({ checkIds }) => [...checkIds.values()]));
    return this.figures.text((checkId) => ids.has(checkId));
  }

  /** What came from another server goes on in its rhythm. */
  private async takeOver(isIn: (id: string) => boolean): Promise<void> {
    const known = await nextRunsOf(this.deps.db);
    this.scheduler.resume(new Map([...known].filter(([id]) => isIn(id))));
  }

  /** Where another server has the rhythm, from now. */
  private nextRunMs(id: string): number | null {
    if (this.role.leaseFor(id) !== null) return this.scheduler.nextRunMs(id);
    const schedule = this.registry.get(id)?.canary.schedule;
    return schedule === undefined ? null : nextRunMs(schedule, this.deps.platform.now());
  }

  /** Canaries and properties in the database may change at any time, by any writer. */
  /** One look at a time; whoever asks meanwhile waits for that one. */
  private followNow(): Promise<void> {
    this.following ??= this.followDatabase().finally(() => {
      this.following = null;
    });
    return this.following;
  }

  private async followDatabase(): Promise<void> {
    const { db } = this.deps;
    this.disabled = await disabledKinds(db);
    const mark = await databaseMark(db);
    if (mark === this.databaseMark) return;
    await this.registry.syncDatabase();
    await this.sources.watchSelf();
    this.databaseMark = mark;
  }
}

/** The check service of this server. */
export function createCheckService(deps: CheckServiceDeps): CheckService & LookupRunner {
  return new RunningCheckService(deps);
}
