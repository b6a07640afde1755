/**
 * Does what committed commands promised outside the database. Owns when and how often: once for each command, by one
 * of all servers, never after its time. What a killed or frozen server left undone is taken up by another one, or at
 * the next start, while it is still in time. The result shows by what the effect itself changes.
 */
import { runCheck } from '../../../src/contract/commands/check-commands.ts';
import { runThing } from '../../../src/contract/commands/thing-commands.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { RunAnswer } from '../../platform/documents/scheduled-documents.ts';
import { createLeaseQueue, type AttemptEnd } from '../../platform/jobs/lease-queue.ts';
import type { LeaseQueue, LeaseQueueDeps } from '../../platform/jobs/lease-queue.ts';
import { EFFECT_TABLE, finishEffect } from './effects-query.ts';
import type { EffectOutcome, EffectRow } from './effects-query.ts';

/** Nothing tells of what another server left. */
const LOOK_EVERY_MS = 15_000;
const CONCURRENCY = 50;
const GRACE_MS = 2000;

type RunTable = ReturnType<typeof runThing.args.parse>['table'];

export interface EffectDeps extends LeaseQueueDeps {
  checks: {
    /** Runs it now; null when there is nothing to run. */
    runCheckNow(checkId: string): Promise<object | 'unknown' | null>;
  };
  /** By table: what runs a document of it now. */
  things: Readonly<Record<RunTable, { runNow(id: string): Promise<RunAnswer<object>> }>>;
}

async function perform({ checks, things }: EffectDeps, effect: EffectRow): Promise<EffectOutcome> {
  if (effect.name === runThing.name) {
    const { table, id } = runThing.args.parse(effect.args);
    const answer = await things[table].runNow(id);
    if (answer === 'unknown') return 'unknown';
    // One that runs already is what was asked for; a refused one says why in its job history.
    return typeof answer === 'string' ? 'nothing' : 'ran';
  }
  if (effect.name !== runCheck.name) throw new AppError('server', `No effect is known of ${effect.name}`);
  const result = await checks.runCheckNow(runCheck.args.parse(effect.args).checkId);
  if (result === 'unknown') return 'unknown';
  return result === null ? 'nothing' : 'ran';
}

const endOf = ({ id }: EffectRow, outcome: EffectOutcome): AttemptEnd => ({
  kind: outcome === 'failed' || outcome === 'expired' ? 'dead' : 'done',
  write: (tx) => finishEffect(tx, id, outcome),
});

/** One server's way to the effects that are still to be done. */
export function createEffectQueue(deps: EffectDeps): LeaseQueue {
  const { platform, logger } = deps;
  /** What happened here and may not have been noted: this process won't do it again. */
  const outcomes = new Map<string, EffectOutcome>();

  return createLeaseQueue<EffectRow>(deps, {
    name: 'effects',
    table: EFFECT_TABLE,
    concurrency: CONCURRENCY,
    everyMs: LOOK_EVERY_MS,
    graceMs: GRACE_MS,
    async handle(effect) {
      if (!outcomes.has(effect.id)) {
        if (Date.parse(effect.expires_at) <= platform.now()) return endOf(effect, 'expired');
        outcomes.set(effect.id, 'failed');
        outcomes.set(effect.id, await perform(deps, effect));
      }
      return endOf(effect, outcomes.get(effect.id) ?? 'failed');
    },
    failed(effect, error) {
      logger.error({ err: error, commandId: effect.id }, 'the effect of a command failed');
      return endOf(effect, 'failed');
    },
    ended: ({ id }) => outcomes.delete(id),
  });
}
