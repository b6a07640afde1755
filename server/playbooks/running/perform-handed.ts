/** An agent's work: an action of its upstream server's, done by the runner of this one. */
import { HANDED_OUTPUT_BYTES } from '../../../src/contract/http/playbooks/handed-action.ts';
import type { HandedAction, HandedPiece } from '../../../src/contract/http/playbooks/handed-action.ts';
import { playbookSpecSchema } from '../../../src/contract/specs/playbook-spec.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { performAction } from './perform-action.ts';
import type { Ended, PerformDeps, StopReason } from './perform-action.ts';
import { createRunScope } from './run-scope.ts';

export interface HandedWatch {
  signal: AbortSignal;
  stopReason: () => StopReason;
  /** Told of what it writes. */
  store: (pieces: readonly HandedPiece[]) => Promise<void>;
}

/**
 * Does it once. It was written upstream by whoever may write playbooks there: of this server's secrets it gets those that
 * anybody's specification gets. Never throws: what went wrong is its end.
 */
export async function performHanded(
  handed: HandedAction,
  watch: HandedWatch,
  deps: PerformDeps & { expressions: Expressions },
): Promise<Ended> {
  const parsed = playbookSpecSchema.safeParse({
    env: handed.env,
    parameters: handed.secret_parameters.map((name) => ({
      name,
      type: 'text',
      properties: { format: 'password' },
    })),
    actions: [handed.spec],
  });
  const action = parsed.data?.actions[0];
  if (!parsed.success || action === undefined) {
    const error = 'This version of the agent cannot read the action';
    return { end: { status: 'failed', error, result: {} }, files: [] };
  }
  const { platform, expressions } = deps;
  return performAction(
    {
      runId: handed.run_id,
      actionId: handed.id,
      author: 'user',
      spec: parsed.data,
      action,
      parameters: handed.parameters,
      scope: (env) =>
        createRunScope(
          { expressions, mark: platform.secret(12) },
          { ...handed.variables, env },
          handed.actions,
        ),
      signal: watch.signal,
      stopReason: watch.stopReason,
      elsewhere: { store: watch.store, maxOutputBytes: HANDED_OUTPUT_BYTES },
    },
    deps,
  );
}
