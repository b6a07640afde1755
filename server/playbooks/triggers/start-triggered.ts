/**
 * Starts a run that nobody pressed for. Invariants: an event, a delivery, a time brings one run of a playbook, however
 * often it comes; a playbook that was set off by its own doing is stopped, and the run says by whom it went round.
 */
import { judgeChain } from '../../../src/domain/playbook/trigger-chain.ts';
import type { ChainVerdict } from '../../../src/domain/playbook/trigger-chain.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { Database } from '../../platform/db/database.ts';
import { DatabaseError } from '../../platform/db/database-error.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import type { Target } from '../requests/playbook-request.ts';
import { noteChange } from '../running/run-query.ts';
import { hideSecrets, secretValues } from '../running/secrets/run-secrets.ts';
import { insertRun } from '../running/start-run-query.ts';
import { checkRun, FilteredOut } from '../running/start-run.ts';
import { countUnstarted, failRun, insertCause, readChain, runOfCause, wasStopped } from './cause-query.ts';
import type { Cause, NamedLink, TriggeredPlaybook } from './cause-query.ts';

export interface TriggerDeps {
  db: Database;
  platform: Platform;
  logger: Logger;
  expressions: Expressions;
  /** For passwords among the parameters. */
  sealer: Sealer;
  notify: (...tables: string[]) => void;
  /** The runner looks at once. */
  wake: () => void;
}

export interface Triggered {
  playbook: TriggeredPlaybook;
  target: Target | null;
  params: Readonly<Record<string, string>>;
  request: Record<string, unknown>;
  cause: Cause;
}

export type StartOutcome =
  | { kind: 'started' | 'known'; runId: string; startsAt: string }
  /** A run that says so, unless one has said it a short while ago. */
  | { kind: 'stopped'; runId: string | null; reason: string };

const TABLES = ['playbook_runs', 'config_changes'] as const;
const resourceOf = (target: Target | null) => (target === null ? null : `${target.word}/${target.id}`);

function stopReason(
  verdict: Exclude<ChainVerdict, { kind: 'run' }>,
  chain: readonly NamedLink[],
  own: string,
): string {
  const names = new Map(chain.map(({ runId, name }) => [runId, name]));
  const way = [...verdict.runs.map(({ runId }) => names.get(runId) ?? runId), own].join(' → ');
  return verdict.kind === 'circle'
    ? `Stopped: this playbook was set off by what it did itself (${way}). Change its trigger or its filter so that its own effect does not start it again.`
    : `Stopped: too many playbooks have set each other off one after the other (${way}).`;
}

function nameOf({ title, name }: TriggeredPlaybook): string {
  return title === '' ? name : title;
}

/** Without a parent that there is not: callers of webhooks may name anything. */
async function withChain(
  asked: Triggered,
  { db }: TriggerDeps,
): Promise<{ asked: Triggered; chain: NamedLink[] }> {
  const { parent } = asked.cause;
  const chain = parent === null ? [] : await readChain(db, parent.runId);
  return { chain, asked: chain.length > 0 ? asked : { ...asked, cause: { ...asked.cause, parent: null } } };
}

/** Null: it may run. */
function reasonToStop({ playbook, target, cause }: Triggered, chain: readonly NamedLink[]): string | null {
  if (cause.parent === null) return null;
  const next = { playbookId: playbook.id, resource: resourceOf(target), isCertain: cause.parent.isCertain };
  const verdict = judgeChain(chain, next);
  return verdict.kind === 'run' ? null : stopReason(verdict, chain, nameOf(playbook));
}

interface NewRun {
  /** What it runs with; null where it is over before it begins. */
  given: { spec: PlaybookSpec; parameters: Record<string, string> } | null;
  status: 'scheduled' | 'pending_approval';
  /** Why it is over before it begins. */
  error: string | null;
  isStopped: boolean;
}

/** Null where a run came of the cause already. */
async function insert(
  asked: Triggered,
  run: NewRun,
  deps: TriggerDeps,
): Promise<{ id: string; startsAt: string } | null> {
  const { db, platform, sealer } = deps;
  const { playbook, target, request, cause } = asked;
  const id = platform.newId();
  const { spec, parameters } = run.given ?? { spec: null, parameters: {} };
  const passwords = spec === null ? {} : secretValues(spec, parameters);
  const kept = hideSecrets({ id, passwords, parameters, request }, sealer);
  const now = new Date(platform.now());
  const known = new AppError('conflict', 'a run came of this already');
  try {
    return await db.transaction(async (tx) => {
      const started = await insertRun(tx, {
        id,
        playbookId: playbook.id,
        status: run.error === null ? run.status : 'scheduled',
        now,
        target,
        ...kept,
        createdBy: null,
        requestKey: null,
      });
      const mark = { id: started.id, playbookId: playbook.id, isStopped: run.isStopped, now };
      if ((await insertCause(tx, mark, cause)) === 0) throw known;
      if (run.error === null) await noteChange(tx, started.id, 'PlaybookScheduled');
      // It noted nothing on its resource, which could set off the next.
      else await failRun(tx, started.id, { error: run.error, now });
      return { id: started.id, startsAt: started.scheduled_time };
    });
  } catch (error) {
    if (error === known) return null;
    throw error;
  }
}

async function knownRun(asked: Triggered, { db, platform }: TriggerDeps): Promise<StartOutcome | null> {
  const runId = await runOfCause(db, asked.playbook.id, asked.cause);
  return runId === null ? null : { kind: 'known', runId, startsAt: new Date(platform.now()).toISOString() };
}

/** A run that failed before it began, for people to see. */
export async function noteFailure(
  asked: Triggered,
  error: string,
  deps: TriggerDeps,
): Promise<string | null> {
  const made = await insert(asked, { given: null, status: 'scheduled', error, isStopped: false }, deps);
  deps.notify(...TABLES);
  return made?.id ?? null;
}

/** A storm of events says the same once an hour, and never much. */
const SAID_AGAIN_MS = 3_600_000;
export const MOST_REASONS = 5;

/**
 * What an event or a call should have set off and could not: a run that failed before it began says why, on the page of its
 * playbook. Nothing where the playbook's own filters did not want it.
 */
export async function noteUnstarted(asked: Triggered, error: unknown, deps: TriggerDeps): Promise<void> {
  const { playbook, cause } = asked;
  const reason = reasonOf(error);
  const about = { playbook: playbook.id, cause: cause.kind, detail: cause.detail, reason };
  if (error instanceof FilteredOut)
    return deps.logger.info(about, 'a trigger of a playbook was filtered out');
  deps.logger.warn(about, 'a trigger of a playbook could not be followed');
  // What the database refused is no word for people.
  if (!(error instanceof AppError) || error instanceof DatabaseError) return;
  const since = new Date(deps.platform.now() - SAID_AGAIN_MS);
  const said = await countUnstarted(deps.db, { playbookId: playbook.id, error: reason, since });
  if (said.same > 0 || said.all >= MOST_REASONS) return;
  // Of its own, so that the same event or delivery may still start it once the playbook was mended.
  const note = { ...cause, sourceKey: `could not start: ${cause.sourceKey}`, parent: null };
  try {
    await noteFailure({ ...asked, cause: note }, reason, deps);
  } catch (failed) {
    // The playbook may be gone by now.
    if (!(failed instanceof AppError) || failed.retryable) throw failed;
  }
}

/** Throws what `checkRun` throws: no such parameter, a filter that is not true. */
export async function startTriggered(given: Triggered, deps: TriggerDeps): Promise<StartOutcome> {
  const { asked, chain } = await withChain(given, deps);
  const { playbook, target, params, request, cause } = asked;
  const before = await knownRun(asked, deps);
  if (before !== null) return before;
  const about = {
    playbook: playbook.id,
    cause: cause.kind,
    detail: cause.detail,
    resource: resourceOf(target),
  };
  const reason = reasonToStop(asked, chain);
  if (reason !== null) {
    deps.logger.warn({ ...about, reason }, 'a playbook that set itself off was stopped');
    if (await wasStopped(deps.db, { playbookId: playbook.id, target, nowMs: deps.platform.now() }))
      return { kind: 'stopped', runId: null, reason };
    const stopped = await insert(
      asked,
      { given: null, status: 'scheduled', error: reason, isStopped: true },
      deps,
    );
    deps.notify(...TABLES);
    return { kind: 'stopped', runId: stopped?.id ?? null, reason };
  }
  const { db, platform, expressions, sealer } = deps;
  const { spec, parameters } = await checkRun(
    { playbook, target, params, person: null, request },
    {
      db,
      expressions,
      newId: () => platform.newId(),
      now: () => platform.now(),
      secret: (sizeBytes) => platform.secret(sizeBytes),
      sealer,
    },
  );
  const status = spec.approval === undefined ? 'scheduled' : 'pending_approval';
  const started = await insert(
    asked,
    { given: { spec, parameters }, status, error: null, isStopped: false },
    deps,
  );
  if (started === null)
    return (await knownRun(asked, deps)) ?? { kind: 'stopped', runId: null, reason: 'known' };
  deps.logger.info({ ...about, run: started.id }, 'a playbook was set off');
  deps.wake();
  deps.notify(...TABLES);
  return { kind: 'started', runId: started.id, startsAt: started.startsAt };
}
