/**
 * An agent's part in playbooks: takes the actions that the upstream server has for it, does each once, tells what it
 * writes, and keeps how it ended until that is pushed. Invariants: an action is noted as begun before it is; one that
 * is found begun and is not under way here was interrupted, and is never begun again.
 */
import type { HandedAction, HandedPiece } from '../../../src/contract/http/playbooks/handed-action.ts';
import { PIECES_A_CALL } from '../../../src/contract/http/playbooks/handed-action.ts';
import type { HandedWatch } from '../../playbooks/running/perform-handed.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { LeftFile } from '../../platform/exec/collect-files.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import type { LeasedRole } from '../../platform/jobs/leased-role.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { forgetEnded, noteBegun, noteEnd, readClaim, readLeft, type OwnEnd } from './own-actions-query.ts';
import type { UpstreamClient } from './upstream-client.ts';

/** At once; more wait upstream. */
const MOST_RUNNING = 16;
/** Looks again whether there is room, at least. */
const ROOM_MS = 10_000;
/** What an action wrote that could not be told yet; of more, the oldest is told by its result alone. */
const MOST_PIECES = 64;
/** A pull that is answered sooner waits for nothing. */
const SHORT_PULL_MS = 1000;
const FORGET_EVERY_MS = 3_600_000;
const INTERRUPTED: OwnEnd = {
  status: 'failed',
  error:
    'Interrupted: the agent stopped while this ran. It may have had its effect; it is not run again by itself.',
  result: { interrupted: true },
};

/** What does an action; `playbooks` of this server. */
export interface ActionRunner {
  performHanded(
    action: HandedAction,
    watch: HandedWatch,
  ): Promise<{ end: OwnEnd; files: readonly LeftFile[] }>;
  keepFiles(tx: Queryable, actionId: string, files: readonly LeftFile[]): Promise<void>;
}

interface TakerDeps {
  db: Database;
  client: Pick<UpstreamClient, 'takeAction' | 'progress'>;
  playbooks: ActionRunner;
  platform: Pick<Platform, 'now' | 'sleep'>;
  logger: Pick<Logger, 'error'>;
  notify: (table: string) => void;
  /** Of the server that is the agent: it keeps that while an action runs. */
  role: Pick<LeasedRole, 'during'>;
}

interface Running {
  stop: (reason: 'cancelled' | 'stopping') => void;
  ended: Promise<void>;
  /** Number of the first piece that is not told yet. */
  from: number;
  pieces: HandedPiece[];
}

export interface ActionTaker {
  /** Waits for an action and begins it; 'again' when there may be more. */
  takeNext(signal: AbortSignal): Promise<'again' | null>;
  /** Tells what the actions wrote, and ends those that nobody waits for. */
  tell(signal: AbortSignal): Promise<void>;
  /** Ends what is under way. */
  end(): Promise<void>;
}

class DatabaseActionTaker implements ActionTaker {
  private readonly deps: TakerDeps;
  private readonly running = new Map<string, Running>();
  private forgottenMs = 0;

  constructor(deps: TakerDeps) {
    this.deps = deps;
  }

  async takeNext(signal: AbortSignal): Promise<'again' | null> {
    const { db, client, platform } = this.deps;
    await this.interruptLeft();
    if (this.running.size >= MOST_RUNNING) {
      const room = platform.sleep(ROOM_MS, signal);
      await Promise.race([room, ...[...this.running.values()].map(({ ended }) => ended)]);
      return 'again';
    }
    const startedMs = platform.now();
    const action = await client.takeAction(await readClaim(db), signal);
    if (action === null) return platform.now() - startedMs < SHORT_PULL_MS ? null : 'again';
    const isNew = await db.transaction((tx) => noteBegun(tx, action, new Date(platform.now())));
    if (isNew) this.begin(action);
    return 'again';
  }

  async tell(signal: AbortSignal): Promise<void> {
    const told = [...this.running].map(([id, { from, pieces }]) => ({
      id,
      from,
      pieces: pieces.slice(0, PIECES_A_CALL),
    }));
    if (told.length === 0) return;
    const stop = await this.deps.client.progress({ actions: told }, signal);
    for (const { id, from, pieces } of told) {
      const running = this.running.get(id);
      if (running === undefined) continue;
      const sent = Math.max(0, from + pieces.length - running.from);
      running.pieces.splice(0, sent);
      running.from += sent;
    }
    for (const id of stop) this.running.get(id)?.stop('cancelled');
  }

  async end(): Promise<void> {
    const all = [...this.running.values()];
    for (const { stop } of all) stop('stopping');
    await Promise.all(all.map(({ ended }) => ended));
  }

  private begin(action: HandedAction): void {
    const ended = new AbortController();
    let reason: 'cancelled' | 'stopping' = 'stopping';
    const running: Running = {
      from: 0,
      pieces: [],
      stop(why) {
        if (ended.signal.aborted) return;
        reason = why;
        ended.abort();
      },
      ended: Promise.resolve(),
    };
    const store = (pieces: readonly HandedPiece[]) => {
      running.pieces.push(...pieces);
      const over = Math.max(0, running.pieces.length - MOST_PIECES);
      running.pieces.splice(0, over);
      running.from += over;
      return Promise.resolve();
    };
    const watch = { signal: ended.signal, stopReason: () => reason, store };
    running.ended = this.perform(action, watch).finally(() => this.running.delete(action.id));
    this.running.set(action.id, running);
    void this.deps.role.during('', () => running.ended);
  }

  private async perform(action: HandedAction, watch: HandedWatch): Promise<void> {
    const { db, playbooks, platform, logger, notify } = this.deps;
    try {
      const { end, files } = await playbooks.performHanded(action, watch);
      await db.transaction(async (tx) => {
        const isOurs = await noteEnd(tx, action.id, { ...end, now: new Date(platform.now()) });
        if (isOurs) await playbooks.keepFiles(tx, action.id, files);
      });
      notify('playbook_run_actions');
    } catch (error) {
      // Found as interrupted by the next look.
      logger.error({ err: reasonOf(error), action: action.id }, 'how an action ended could not be written');
    }
  }

  /** What was under way when this agent was killed. */
  private async interruptLeft(): Promise<void> {
    const { db, platform, notify } = this.deps;
    const now = new Date(platform.now());
    for (const id of await readLeft(db, [...this.running.keys()])) {
      await noteEnd(db, id, { ...INTERRUPTED, now });
      notify('playbook_run_actions');
    }
    if (now.getTime() - this.forgottenMs < FORGET_EVERY_MS) return;
    this.forgottenMs = now.getTime();
    await forgetEnded(db, now);
  }
}

/** One for each server that is an agent. */
export function createActionTaker(deps: TakerDeps): ActionTaker {
  return new DatabaseActionTaker(deps);
}
