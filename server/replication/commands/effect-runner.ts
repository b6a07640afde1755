/**
 * Does what committed commands promised outside the database. Owns when and how often: never twice for one
 * command while this process lives, never after its time; what a killed process left undone is taken up at the
 * next start while it is still in time. The result shows by what the effect itself changes.
 */
import { runCheck } from '../../../src/contract/commands/check-commands.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import { findUndoneEffect, finishEffect, undoneCommandIds } from './effects-query.ts';
import type { EffectOutcome, EffectRow } from './effects-query.ts';

export interface EffectDeps {
  db: Database;
  checks: {
    /** Runs it now; null when there is nothing to run. */
    runCheckNow(checkId: string): Promise<object | 'unknown' | null>;
  };
  platform: Pick<Platform, 'now' | 'sleep'>;
  logger: Logger;
}

export interface EffectRunner {
  /** Starts the effect of a command unless it was started already; returns at once. */
  start(commandId: string): void;
  /** Takes up what is undone; resolves when all of it was started. */
  resume(): Promise<void>;
  /** Waits for what is being done, at most `graceMs`. */
  settle(graceMs: number): Promise<void>;
}

async function perform({ checks }: EffectDeps, effect: EffectRow): Promise<EffectOutcome> {
  if (effect.name !== runCheck.name) throw new AppError('server', `No effect is known of ${effect.name}`);
  const result = await checks.runCheckNow(runCheck.args.parse(effect.args).checkId);
  if (result === 'unknown') return 'unknown';
  return result === null ? 'nothing' : 'ran';
}

async function carryOut(deps: EffectDeps, commandId: string): Promise<void> {
  const { db, platform, logger } = deps;
  const effect = await findUndoneEffect(db, commandId);
  if (effect === null) return;
  if (Date.parse(effect.expires_at) <= platform.now()) {
    await finishEffect(db, commandId, 'expired');
    return;
  }
  let outcome: EffectOutcome = 'failed';
  try {
    outcome = await perform(deps, effect);
  } catch (error) {
    logger.error({ err: error, commandId }, 'the effect of a command failed');
  }
  await finishEffect(db, commandId, outcome);
}

export function createEffectRunner(deps: EffectDeps): EffectRunner {
  const running = new Map<string, Promise<void>>();

  const start = (commandId: string) => {
    if (running.has(commandId)) return;
    const work = carryOut(deps, commandId).then(
      // The table says from now on that it is done.
      () => void running.delete(commandId),
      // It may have happened without being noted: it stays in the map, so that this process won't do it again.
      (error: unknown) => deps.logger.error({ err: error, commandId }, 'the end of an effect was not noted'),
    );
    running.set(commandId, work);
  };

  return {
    start,
    async resume() {
      for (const commandId of await undoneCommandIds(deps.db)) start(commandId);
    },
    async settle(graceMs) {
      const done = new AbortController();
      const all = Promise.all(running.values()).then(() => done.abort());
      await Promise.race([all, deps.platform.sleep(graceMs, done.signal)]);
      done.abort();
    },
  };
}
