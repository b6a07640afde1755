/**
 * The runner of playbooks on this server: takes up what is due, one step at a time, and ends what people cancel. What
 * is to be done stands in the database, so that any server may go on with a run and none does a step twice.
 */
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { createExpressions } from '../../platform/expressions/expression-thread.ts';
import { onTables, runLoop } from '../../platform/jobs/background-loop.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { Lease } from '../../platform/jobs/held-lease.ts';
import { createLeaseQueue } from '../../platform/jobs/lease-queue.ts';
import type { AttemptEnd, LeaseQueue, LeaseQueueDeps } from '../../platform/jobs/lease-queue.ts';
import type { HandedAction } from '../../../src/contract/http/playbooks/handed-action.ts';
import { createHandedActions } from './handed-actions.ts';
import type { HandedActions } from './handed-actions.ts';
import { performHanded } from './perform-handed.ts';
import type { HandedWatch } from './perform-handed.ts';
import { followPlaybookFiles } from '../documents/playbook-files.ts';
import { saveActionFiles } from './output/action-files-query.ts';
import { readCancelled } from './cancel-query.ts';
import { hidePasswords } from './secrets/hide-passwords.ts';
import { forgetOutput } from './output/output-query.ts';
import type { Ended, PerformDeps, StopReason } from './perform-action.ts';
import { runTable } from './run-query.ts';
import type { DueRun, RunQuotas } from './run-query.ts';
import { takeStep } from './run-step.ts';

/** Sleeping runs, and what other servers wrote, are found within this. */
const LOOK_EVERY_MS = 1000;
const CANCELS_EVERY_MS = 500;
/** Steps at once, of one server; most of them wait for something outside. */
const CONCURRENCY = 128;
const QUOTAS: RunQuotas = { perPerson: 100, perPlaybook: 100 };
/** An open page has read the rest by then. */
const OUTPUT_KEPT_MS = 10 * 60_000;
const UPKEEP_EVERY_MS = 60_000;
/** Actions that go on when the server is told to stop get this long. */
const ACTION_GRACE_MS = 3000;
/** Conditions and templates share a thread with nobody else. */
const SCRIPT_LIMIT_MS = 1000;

export interface PlaybookService {
  start(): Promise<void>;
  /** Lets actions end within the time, then ends them; they are noted as interrupted. */
  stop(graceMs: number): Promise<void>;
  /** Looks at once; call it after a run was written. */
  wake(): void;
  /** Ends the run's action, where it is under way here; elsewhere its server sees to that. */
  cancel(runId: string): void;
  /** Told when a run of this server has got on, or has written something. */
  onProgress(listener: () => void): () => void;
  /** Fills defaults, conditions and templates. */
  expressions: Expressions;
  /** What this server's agents ask of it. */
  handed: HandedActions;
  /** Does an action of the upstream server's here. */
  performHanded(action: HandedAction, watch: HandedWatch): Promise<Ended>;
  /** Keeps what an action left. */
  keepFiles: typeof saveActionFiles;
}

export interface PlaybookServiceDeps extends LeaseQueueDeps, PerformDeps {
  platform: PerformDeps['platform'];
  sealer: PerformDeps['sealer'] & Pick<Sealer, 'seal'>;
  notifier: Pick<ChangeNotifier, 'subscribe'>;
  /** Playbooks as files. */
  playbooksDir?: string | null;
}

const PROGRESS = new Set(['playbook_action_outputs', 'playbook_runs']);

interface Running {
  stop: (reason: StopReason) => void;
}

class RunningPlaybookService implements PlaybookService {
  readonly expressions = createExpressions(SCRIPT_LIMIT_MS);
  readonly handed: HandedActions;
  readonly keepFiles = saveActionFiles;
  private readonly deps: PlaybookServiceDeps;
  private readonly queue: LeaseQueue;
  private readonly stopping = new AbortController();
  private readonly running = new Map<string, Running>();
  private stopWatching: (() => Promise<void>) | null = null;
  private background: Promise<unknown> = Promise.resolve();

  constructor(deps: PlaybookServiceDeps) {
    this.deps = deps;
    this.handed = createHandedActions({
      ...deps,
      onProgress: (listener) => this.onProgress(listener),
      wake: () => this.wake(),
    });
    this.queue = createLeaseQueue<DueRun>(deps, {
      name: 'playbook-runs',
      table: runTable(QUOTAS),
      concurrency: CONCURRENCY,
      everyMs: LOOK_EVERY_MS,
      wakes: [onTables(deps.notifier, new Set(['playbook_approvals']))],
      handle: (run, signal, lease) => this.step(run, signal, lease),
      failed: (run, error) => {
        deps.logger.error({ err: error, run: run.id }, 'a step of a playbook run failed, it comes again');
        return null;
      },
      ended: () => this.deps.notify('playbook_runs', 'playbook_run_actions', 'config_changes', 'artifacts'),
    });
  }

  async start(): Promise<void> {
    this.stopWatching = await followPlaybookFiles({ ...this.deps, folder: this.deps.playbooksDir ?? null });
    const { signal } = this.stopping;
    const { deps } = this;
    const loops = [
      { name: 'playbooks: cancels', everyMs: CANCELS_EVERY_MS, run: () => this.endCancelled() },
      { name: 'playbooks: output', everyMs: UPKEEP_EVERY_MS, run: () => this.forget() },
      { name: 'playbooks: passwords', everyMs: UPKEEP_EVERY_MS, run: () => this.hidePasswords() },
    ];
    this.background = Promise.all([
      this.queue.run(signal),
      ...loops.map((loop) => runLoop(deps, loop, signal)),
    ]);
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    await this.stopWatching?.();
    await Promise.race([this.background, this.deps.platform.sleep(graceMs)]);
    await this.expressions.close();
  }

  wake(): void {
    this.queue.wake();
  }

  cancel(runId: string): void {
    this.running.get(runId)?.stop('cancelled');
  }

  onProgress(listener: () => void): () => void {
    return onTables(this.deps.notifier, PROGRESS)(listener);
  }

  performHanded(action: HandedAction, watch: HandedWatch): Promise<Ended> {
    return performHanded(action, watch, { ...this.deps, expressions: this.expressions });
  }

  private async step(run: DueRun, signal: AbortSignal, lease: Lease): Promise<AttemptEnd> {
    const ended = new AbortController();
    const isOver = new AbortController();
    let reason: StopReason = 'stopping';
    const stop = (why: StopReason) => {
      if (ended.signal.aborted) return;
      reason = why;
      ended.abort();
    };
    const handleLost = () => stop('lost');
    // An action that is nearly done gets its time when the server ends; one that is not ours any more does not.
    const handleEnd = () => {
      void this.deps.platform.sleep(ACTION_GRACE_MS, isOver.signal).then(() => stop('stopping'));
    };
    lease.signal.addEventListener('abort', handleLost, { once: true });
    signal.addEventListener('abort', handleEnd, { once: true });
    this.running.set(run.id, { stop });
    try {
      const step = { run, lease, signal: ended.signal, stopReason: () => reason };
      return await takeStep(step, { ...this.deps, expressions: this.expressions, quotas: QUOTAS });
    } finally {
      isOver.abort();
      this.running.delete(run.id);
      lease.signal.removeEventListener('abort', handleLost);
      signal.removeEventListener('abort', handleEnd);
    }
  }

  /** Somebody may have asked another server. */
  private async endCancelled(): Promise<void> {
    if (this.running.size === 0) return;
    for (const id of await readCancelled(this.deps.db, [...this.running.keys()])) this.cancel(id);
  }

  private async hidePasswords(): Promise<void> {
    const count = await hidePasswords(this.deps);
    if (count === 0) return;
    this.deps.logger.info({ runs: count }, 'passwords of earlier runs of playbooks were hidden');
    this.deps.notify('playbook_runs', 'playbook_run_actions', 'config_changes');
  }

  private async forget(): Promise<void> {
    await forgetOutput(this.deps.db, new Date(this.deps.platform.now() - OUTPUT_KEPT_MS));
  }
}

/** The playbook service of this server. */
export function createPlaybookService(deps: PlaybookServiceDeps): PlaybookService {
  return new RunningPlaybookService(deps);
}
