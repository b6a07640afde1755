/**
 * What agents ask of the runner here: their next action, and whether they are to go on. An action is given once: after
 * that only the agent that took it may say how it ended, and nobody else does it.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { HandedAction, HandedProgress } from '../../../src/contract/http/playbooks/handed-action.ts';
import { secretNames } from '../../../src/domain/playbook/secret-parameters.ts';
import { playbookActionName } from '../../../src/contract/specs/playbook-spec.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { finishedActions } from './next-action.ts';
import { readDueRun } from './run-query.ts';
import { variablesOf } from './run-scope.ts';
import { openGiven } from './secrets/run-secrets.ts';
import { specOf } from './run-spec.ts';
import { addPieces, endHanded, openActions, takeAction } from './handed-query.ts';
import type { TakenAction } from './handed-query.ts';

interface HandedDeps {
  db: Database;
  platform: Pick<Platform, 'now' | 'sleep'>;
  sealer: Opener;
  notify: (...tables: string[]) => void;
  onProgress: (listener: () => void) => () => void;
  wake: () => void;
}

interface Caller {
  id: string;
  name: string;
}

/** Another server may have written the action. */
const LOOK_EVERY_MS = 1000;

export interface HandedActions {
  /** The agent's next action; null when none came within the time. */
  take(
    agent: Caller,
    asked: { claim: string | null; waitMs: number; signal: AbortSignal },
  ): Promise<HandedAction | null>;
  /** Shows what actions wrote; answers the ids of those that are to be ended. */
  progress(agent: Pick<Caller, 'id'>, said: HandedProgress): Promise<string[]>;
  /** Looks at once for runs that go on; call it after an agent's ends were stored. */
  wake(): void;
}

async function handedOf(
  taken: TakenAction,
  agent: Caller,
  { db, sealer }: HandedDeps,
): Promise<HandedAction> {
  const found = await readDueRun(db, taken.run_id);
  if (found === null) throw new AppError('invalid', 'the run is gone');
  const run = { ...found, ...openGiven(found, sealer) };
  const spec = specOf(run, { sealer });
  const name = run.actions.find(({ id }) => id === taken.action_id)?.name ?? '';
  const action = spec.actions.find((one) => one.name === name);
  const kind = action === undefined ? null : playbookActionName(action);
  if (action === undefined || kind === null) throw new AppError('invalid', 'the action is gone');
  const variables = await variablesOf(db, run, spec);
  return {
    id: taken.action_id,
    run_id: run.id,
    playbook_id: run.playbook_id,
    name,
    spec: { name, timeout: `${taken.timeout_ms}ms`, [kind]: action[kind] },
    env: [...(spec.env ?? [])],
    parameters: run.parameters,
    secret_parameters: [...secretNames(spec.parameters ?? [])],
    variables: { ...variables, agent: { id: agent.id, name: agent.name } },
    actions: finishedActions(run.actions.filter(({ id }) => id !== taken.action_id)),
  };
}

/** For the agents of this server. */
export function createHandedActions(deps: HandedDeps): HandedActions {
  const { db, platform, notify } = deps;

  async function takeOnce(agent: Caller, claim: string | null): Promise<HandedAction | null> {
    const now = new Date(platform.now());
    const taken = await db.transaction((tx) => takeAction(tx, { agentId: agent.id, claim, now }));
    if (taken === null) return null;
    notify('playbook_runs', 'playbook_run_actions');
    try {
      return await handedOf(taken, agent, deps);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Nobody can do it: it was not given away.
      const ends = [{ id: taken.action_id, status: 'failed' as const, error: error.message, result: {} }];
      await db.transaction((tx) => endHanded(tx, { agentId: agent.id, ends, now }));
      deps.wake();
      return null;
    }
  }

  return {
    async take(agent, { claim, waitMs, signal }) {
      const untilMs = platform.now() + waitMs;
      for (;;) {
        const waiting = new AbortController();
        const stop = deps.onProgress(() => waiting.abort());
        try {
          const handed = signal.aborted ? null : await takeOnce(agent, claim);
          const leftMs = untilMs - platform.now();
          if (handed !== null || leftMs <= 0 || signal.aborted) return handed;
          await platform.sleep(Math.min(LOOK_EVERY_MS, leftMs), AbortSignal.any([waiting.signal, signal]));
        } finally {
          stop();
        }
      }
    },
    async progress(agent, { actions }) {
      const open = await db.transaction(async (tx) => {
        const ids = actions.map(({ id }) => id);
        const rows = await openActions(tx, { agentId: agent.id, ids });
        for (const row of rows) {
          const said = actions.find(({ id }) => id.toLowerCase() === row.action_id);
          if (said !== undefined) await addPieces(tx, row, said);
        }
        return new Set(rows.map((row) => row.action_id));
      });
      if (actions.some(({ pieces }) => pieces.length > 0)) notify('playbook_action_outputs');
      return actions.map(({ id }) => id).filter((id) => !open.has(id.toLowerCase()));
    },
    wake: () => deps.wake(),
  };
}
